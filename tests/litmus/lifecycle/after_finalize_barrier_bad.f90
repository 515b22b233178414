! vouch: run -n 1
! expect: error lifecycle/after-finalize @a
! also: crash
program after_finalize
  use mpi
  implicit none
  integer ierr
  call MPI_Init(ierr)
  call MPI_Finalize(ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! @a
end program after_finalize
