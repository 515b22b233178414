! vouch: run -n 2
! expect: clean
program comm_uninitialised_f
  implicit none
  include 'mpif.h'
  integer :: comm, rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Barrier(comm, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
end program comm_uninitialised_f
