! vouch: run -n 2
! expect: error type/mismatch @a
program section
  use mpi_f08
  implicit none
  integer :: a(8, 8), rank
  real :: b(8, 8)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  a = rank
  if (rank == 0) then
    call MPI_Send(a(1:8:2, 3), 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD)
  else
    call MPI_Recv(b(1:8:2, 3), 4, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! @a
  end if
  call MPI_Finalize()
end program section
