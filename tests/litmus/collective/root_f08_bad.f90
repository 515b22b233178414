! vouch: run -n 3
! expect: error collective/root @a
! also: crash
program root_f08
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Bcast(x, 1, MPI_INTEGER, merge(1, 0, rank == 1), MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program root_f08
