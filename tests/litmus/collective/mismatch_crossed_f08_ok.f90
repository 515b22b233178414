! vouch: run -n 3
! expect: clean
! Each pair has its broadcast, at one line; rank 1 is in both.
program crossed
  use mpi_f08
  implicit none
  integer :: rank, value, i
  type(MPI_Comm) :: pair(2)  ! ranks 0,1 and ranks 1,2
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank < 2), rank, pair(1))
  call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank > 0), rank, pair(2))
  value = rank
  do i = 1, 2
    if (pair(i) == MPI_COMM_NULL) cycle
    call MPI_Ibcast(value, 1, MPI_INTEGER, 0, pair(i), request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Comm_free(pair(i))
  end do
  call MPI_Finalize()
end program
