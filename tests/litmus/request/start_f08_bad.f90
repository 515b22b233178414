! vouch: run -n 2
! expect: error request/start @a
! also: crash
program twice
  use mpi_f08
  implicit none
  integer :: rank, x, y
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 1
  if (rank == 0) then
    call MPI_Recv_init(y, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request)
    call MPI_Start(request)
    call MPI_Start(request)  ! @a
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Request_free(request)
  else
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program twice
