! Rank 0 takes two messages of each other rank, by wildcard receives or MPI_Waitany, and prints in which order.
program order
  use mpi_f08
  implicit none
  integer, parameter :: each = 2
  integer :: rank, size, i, which, value, total
  integer :: values(64)
  character(len=16) :: how
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(64)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call get_command_argument(1, how)
  total = each * (size - 1)
  if (rank > 0) then
    do i = 1, each
      call MPI_Send(rank, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD)
    end do
  else
    write (*, '(a)', advance='no') 'order:'
    if (how == 'waitany') then
      do i = 1, total
        call MPI_Irecv(values(i), 1, MPI_INTEGER, 1 + (i - 1) / each, 7, MPI_COMM_WORLD, requests(i))
      end do
    end if
    do i = 1, total
      if (how == 'waitany') then
        call MPI_Waitany(total, requests, which, MPI_STATUS_IGNORE)
        value = values(which)
      else
        call MPI_Recv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
        if (value /= status%MPI_SOURCE .or. status%MPI_TAG /= 7) call MPI_Abort(MPI_COMM_WORLD, 3)
      end if
      write (*, '(a,i0)', advance='no') ' ', value
    end do
    write (*, '(a)') ''
  end if
  call MPI_Finalize()
end program
