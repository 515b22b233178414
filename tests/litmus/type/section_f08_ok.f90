! vouch: run -n 2
! expect: clean
! Array sections that are not contiguous: MPICH describes them by datatypes of its own.
program section
  use mpi_f08
  implicit none
  integer :: a(8, 8), b(8, 8), rank, k, sum(4)
  type(MPI_Request) :: requests(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  a = rank
  b = -1
  do k = 1, 3
    if (rank == 0) then
      call MPI_Send(a(1:8:2, 3), 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD)
      call MPI_Send(a(2, :), 8, MPI_INTEGER, 1, 8, MPI_COMM_WORLD)
    else
      call MPI_Recv(b(1:8:2, 3), 4, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call MPI_Recv(b(2, :), 8, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
    call MPI_Bcast(b(2:8:3, 1:8:2), 12, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Allreduce(a(1:7:2, 1), sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Sendrecv(a(4, 1:8:2), 4, MPI_INTEGER, 1 - rank, 9, b(5, 1:8:2), 4, MPI_INTEGER, 1 - rank, 9, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  if (MPI_SUBARRAYS_SUPPORTED) then
    call MPI_Irecv(b(6, 1:8:2), 4, MPI_INTEGER, 1 - rank, 10, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(a(6, 1:8:2), 4, MPI_INTEGER, 1 - rank, 10, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end if
  call MPI_Finalize()
end program section
