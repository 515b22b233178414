! vouch: run -n 1
! expect: clean
program cancel
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  logical :: flag
  integer :: y
  call MPI_Init()
  call MPI_Irecv(y, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, request)
  call MPI_Cancel(request)
  call MPI_Wait(request, status)
  call MPI_Test_cancelled(status, flag)
  if (.not. flag) stop 1
  call MPI_Finalize()
end program cancel
