! vouch: run -n 1
! expect: error request/message @a
! also: crash
program nomessage
  use mpi_f08
  implicit none
  type(MPI_Message) :: message
  integer :: y
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  message = MPI_MESSAGE_NULL
  call MPI_Mrecv(y, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)  ! @a
  call MPI_Finalize()
end program nomessage
