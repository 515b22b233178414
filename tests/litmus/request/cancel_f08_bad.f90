! vouch: run -n 2
! expect: error request/cancel @a
! also: crash
program cancel
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Ibarrier(MPI_COMM_WORLD, request)
  call MPI_Cancel(request)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program cancel
