! vouch: run -n 2
! expect: error type/mismatch @a
program p
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x(4)
  real :: y(4)
  x = 1
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(x, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD)
  else
    call MPI_Recv(y, 4, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @a
  end if
  call MPI_Finalize()
end program p
