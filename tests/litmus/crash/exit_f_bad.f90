! vouch: run -n 2
! expect: error crash/exit @a
! also: crash
program leaving
  use mpi
  implicit none
  integer ierr
  integer rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! @a
  if (rank == 0) stop 4
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program leaving
