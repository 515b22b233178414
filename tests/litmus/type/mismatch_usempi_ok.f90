! vouch: run -n 2
! expect: clean
program p
  use mpi
  implicit none
  integer :: rank, ierr
  real :: x(4), y(4)
  x = 1
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(x, 4, MPI_REAL, 1, 7, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(y, 4, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program p
