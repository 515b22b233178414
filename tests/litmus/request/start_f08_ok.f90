! vouch: run -n 2
! expect: clean
program once
  use mpi_f08
  implicit none
  integer :: rank, i, x, y
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 1
  if (rank == 0) then
    call MPI_Recv_init(y, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request)
  else
    call MPI_Send_init(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, request)
  end if
  do i = 1, 3
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
  call MPI_Request_free(request)
  call MPI_Finalize()
end program once
