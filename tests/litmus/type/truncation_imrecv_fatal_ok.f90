! vouch: run -n 2
! expect: clean
! There is room for all of it.
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
    call MPI_Imrecv(x, 2, MPI_INTEGER, message, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
