! vouch: run -n 2
! expect: error unmatched/ready-send @a
program p
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: x(1)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  if (rank == 0) then
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Rsend(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)  ! @a
  else
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Irecv(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program p
