! vouch: run -n 2
! expect: clean
! The matched message is received before anything else is waited for.
program mprobe
  use mpi_f08
  implicit none
  integer :: rank, x, y
  type(MPI_Message) :: message
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 0
  y = 0
  if (rank == 0) then
    call MPI_Ssend(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)
    call MPI_Send(y, 1, MPI_INTEGER, 1, 6, MPI_COMM_WORLD)
  else
    call MPI_Mprobe(0, 5, MPI_COMM_WORLD, message, status)
    call MPI_Mrecv(x, 1, MPI_INTEGER, message, status)
    call MPI_Recv(y, 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, status)
  end if
  call MPI_Finalize()
end program mprobe
