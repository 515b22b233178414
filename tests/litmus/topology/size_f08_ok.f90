! vouch: run -n 2
! expect: clean
program fitting
  use mpi_f08
  implicit none
  type(MPI_Comm) :: grid
  call MPI_Init()
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [1, 2], [.false., .true.], .false., grid)
  call MPI_Comm_free(grid)
  call MPI_Finalize()
end program fitting
