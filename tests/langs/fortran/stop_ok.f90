! A status of its own, by stop after MPI_Finalize. (Launchers end other processes then.)
! vouch: run -n 1
! expect: clean
! exit: 5
program leave
  use mpi
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  stop 5
end program
