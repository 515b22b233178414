! vouch: run -n 2
! expect: clean
program after_finalize
  use mpi
  implicit none
  integer ierr
  logical down
  call MPI_Init(ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  call MPI_Finalized(down, ierr)
  if (.not. down) stop 1
end program after_finalize
