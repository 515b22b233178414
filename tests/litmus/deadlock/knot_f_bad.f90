! vouch: run -n 3
! expect: error deadlock/wildcard-knot @a
! also: crash
program main
  use mpi
  implicit none
  integer :: rank, nranks, x, y, ierr
  x = 0
  y = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_Finalize(ierr)
end program main
