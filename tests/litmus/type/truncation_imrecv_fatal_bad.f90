! vouch: run -n 2
! expect: error type/truncation @a
! also: crash
! The same in Fortran, where the library stops the process in the call that completes the receive.
program truncation_imrecv_fatal
  use mpi_f08
  implicit none
  type(MPI_Message) :: message
  type(MPI_Request) :: request
  integer :: rank, x(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  if (rank == 0) then
    call MPI_Send(x, 2, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call MPI_Mprobe(0, 0, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
    call MPI_Imrecv(x, 1, MPI_INTEGER, message, request)  ! @a
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
