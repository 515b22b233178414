! vouch: run -n 2
! expect: warning type/equivalent @a
program p
  use mpi_f08
  implicit none
  integer :: rank
  real(8) :: x, y
  x = 1
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_DOUBLE_PRECISION, 1, 7, MPI_COMM_WORLD)
  else
    call MPI_Recv(y, 1, MPI_REAL8, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @a
  end if
  call MPI_Finalize()
end program p
