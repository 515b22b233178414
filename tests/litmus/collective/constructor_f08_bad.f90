! vouch: run -n 3
! expect: error collective/constructor @a
! also: crash
program constructor_f08
  use mpi_f08
  implicit none
  integer :: rank
  type(MPI_Comm) :: grid
  integer :: dims(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  dims = [3, 1]
  if (rank == 1) dims = [1, 3]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .false., grid)  ! @a
  call MPI_Comm_free(grid)
  call MPI_Finalize()
end program constructor_f08
