! vouch: run -n 1
! expect: clean
program receive
  use mpi_f08
  implicit none
  type(MPI_Message) :: message
  integer :: y
  call MPI_Init()
  call MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
  call MPI_Mrecv(y, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program receive
