! vouch: run -n 2
! expect: error buffer/pending-overlap @a
! All but the root receive into x.
program early
  use mpi_f08
  implicit none
  integer :: rank, x(4), y(4)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  y = 0
  call MPI_Ibcast(x, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
  call MPI_Reduce(x, y, 4, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program early
