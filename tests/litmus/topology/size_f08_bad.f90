! vouch: run -n 2
! expect: error topology/size @a
program toolarge
  use mpi_f08
  implicit none
  type(MPI_Comm) :: grid
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  grid = MPI_COMM_NULL
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [3, 3], [.false., .false.], .false., grid)  ! @a
  call MPI_Finalize()
end program toolarge
