! vouch: run -n 1
! expect: clean
program tagub
  use mpi_f08
  implicit none
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  call MPI_Init()
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  if (.not. flag .or. value < 32767) stop 1
  call MPI_Finalize()
end program tagub
