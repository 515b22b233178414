! vouch: run -n 2
! expect: error argument/communicator @a
! also: crash
program comm_uninitialised_f
  implicit none
  include 'mpif.h'
  integer :: comm, rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  comm = 286331153
  call MPI_Barrier(comm, ierr)  ! @a
  call MPI_Finalize(ierr)
end program comm_uninitialised_f
