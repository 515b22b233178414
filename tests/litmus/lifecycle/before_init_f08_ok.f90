! vouch: run -n 1
! expect: clean
program before_init
  use mpi_f08
  implicit none
  logical :: up, down
  integer :: version, subversion
  call MPI_Initialized(up)
  call MPI_Get_version(version, subversion)
  call MPI_Init()
  call MPI_Finalize()
  call MPI_Finalized(down)
  if (up .or. .not. down) stop 1
end program before_init
