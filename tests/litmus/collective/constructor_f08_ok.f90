! vouch: run -n 3
! expect: clean
program constructor_f08
  use mpi_f08
  implicit none
  integer :: rank
  type(MPI_Comm) :: grid
  integer :: dims(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  dims = [3, 1]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .true.], .false., grid)
  call MPI_Comm_free(grid)
  call MPI_Finalize()
end program constructor_f08
