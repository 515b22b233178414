! vouch: run -n 2
! expect: error crash/abort @a
! also: crash
program aborting
  implicit none
  include 'mpif.h'
  integer ierr
  integer rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 1) call MPI_Abort(MPI_COMM_WORLD, 5, ierr)  ! @a
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program aborting
