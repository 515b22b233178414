! vouch: run -n 3
! expect: clean
program harmful_mprobe
  use mpi_f08
  implicit none
  integer :: rank, x, y
  type(MPI_Message) :: message
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  if (rank == 0) then
    call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, message, status)
    call MPI_Mrecv(y, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call MPI_Recv(y, 1, MPI_INTEGER, 3 - status%MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  else
    call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program harmful_mprobe
