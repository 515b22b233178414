! vouch: run -n 1
! expect: clean
program goodcount
  use mpi_f08
  implicit none
  integer :: x(4)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Irecv(x, 4, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program goodcount
