! vouch: run -n 1
! expect: clean
program goodtag
  use mpi_f08
  implicit none
  real :: x
  call MPI_Init()
  call MPI_Recv(x, 1, MPI_REAL, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program goodtag
