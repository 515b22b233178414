! vouch: run -n 3
! expect: error deadlock/finished-rank @a
! also: crash
program main
  use mpi_f08
  implicit none
  integer :: rank, nranks, x, y, ierr
  type(MPI_Request) :: r(2)
  x = 0
  y = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  if (rank == 0) then
    call MPI_Irecv(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Irecv(y, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, r(2), ierr)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)  ! @a
  end if
  if (rank == 2) call MPI_Send(y, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program main
