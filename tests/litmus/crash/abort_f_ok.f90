! vouch: run -n 1
! expect: clean
! exit: 5
program aborting
  implicit none
  include 'mpif.h'
  integer ierr
  integer rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  call exit(5)
end program aborting
