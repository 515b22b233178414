! vouch: run -n 1
! expect: error argument/group @a
program badgroup
  use mpi
  implicit none
  integer ierr
  integer :: world, both
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_union(world, MPI_GROUP_NULL, both, ierr)  ! @a
  call MPI_Group_free(world, ierr)
  call MPI_Finalize(ierr)
end program badgroup
