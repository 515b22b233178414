! vouch: run -n 3
! expect: error collective/mismatch @a
! also: crash
program mismatch_f08
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 1
  if (rank == 2) then
    call MPI_Barrier(MPI_COMM_WORLD)  ! @a
  else
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program mismatch_f08
