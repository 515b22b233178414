! vouch: run -n 3
! expect: warning collective/in-place @a
program in_place_f08
  use mpi_f08
  implicit none
  integer :: rank
  integer :: mine, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  mine = rank
  total = rank
  if (rank == 0) then
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)  ! @a
  else
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program in_place_f08
