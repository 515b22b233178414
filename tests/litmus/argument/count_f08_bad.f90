! vouch: run -n 1
! expect: error argument/count @a
program badcount
  use mpi_f08
  implicit none
  integer :: x(4)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  request = MPI_REQUEST_NULL
  call MPI_Irecv(x, -4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)  ! @a
  call MPI_Finalize()
end program badcount
