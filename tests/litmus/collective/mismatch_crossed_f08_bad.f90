! vouch: run -n 3
! expect: error collective/mismatch @a
! expect: warning leak/communicator @b
! expect: warning leak/communicator @c
! also: crash
! Rank 1 broadcasts in the second pair, where rank 0 needs it in the first one.
program crossed
  use mpi_f08
  implicit none
  integer :: rank, value, colour
  type(MPI_Comm) :: low, high, mine  ! ranks 0,1 and ranks 1,2
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  colour = merge(0, MPI_UNDEFINED, rank < 2)
  call MPI_Comm_split(MPI_COMM_WORLD, colour, rank, low)  ! @b
  colour = merge(0, MPI_UNDEFINED, rank > 0)
  call MPI_Comm_split(MPI_COMM_WORLD, colour, rank, high)  ! @c
  mine = low
  if (rank == 1) mine = high
  value = rank
  request = MPI_REQUEST_NULL
  if (rank < 2) call MPI_Ibcast(value, 1, MPI_INTEGER, 0, mine, request)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program
