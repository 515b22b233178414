! vouch: run -n 2
! expect: clean
program mismatch_request
  use mpi_f08
  implicit none
  integer :: rank, token, in, out(2)
  type(MPI_Request) :: request
  logical :: done
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  in = rank
  token = 0
  call MPI_Igather(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
  if (rank == 0) then
    call MPI_Send(token, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    done = .false.
    do while (.not. done)
      call MPI_Test(request, done, MPI_STATUS_IGNORE)
    end do
  else
    call MPI_Recv(token, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end if
  call MPI_Allgather(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call MPI_Finalize()
end program mismatch_request
