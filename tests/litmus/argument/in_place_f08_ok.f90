! vouch: run -n 1
! expect: clean
program inplace
  use mpi_f08
  implicit none
  integer :: x
  call MPI_Init()
  x = 1
  call MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, x, 1, MPI_INTEGER, MPI_COMM_SELF)
  call MPI_Finalize()
end program inplace
