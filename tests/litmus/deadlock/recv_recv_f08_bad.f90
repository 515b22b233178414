! vouch: run -n 2
! expect: error deadlock/wait-cycle @a
! also: crash
program main
  use mpi_f08
  implicit none
  integer :: rank, nranks, x, y, ierr
  x = 0
  y = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call MPI_Recv(x, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_Send(y, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program main
