! vouch: run -n 3
! expect: error collective/type @a
! also: crash
program type_f08
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x(4), y(16)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Allgather(x, merge(1, 2, rank == 1), MPI_INTEGER, y, 2, MPI_INTEGER, MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program type_f08
