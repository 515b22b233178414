! vouch: run -n 2
! expect: error deadlock/wait-cycle @a
! also: crash
! A matched message is not received yet: MPI_Ssend returns only once MPI_Mrecv is called.
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
    call MPI_Ssend(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)  ! @a
    call MPI_Send(y, 1, MPI_INTEGER, 1, 6, MPI_COMM_WORLD)
  else
    call MPI_Mprobe(0, 5, MPI_COMM_WORLD, message, status)
    call MPI_Recv(y, 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, status)
    call MPI_Mrecv(x, 1, MPI_INTEGER, message, status)
  end if
  call MPI_Finalize()
end program mprobe
