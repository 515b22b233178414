! vouch: run -n 1
! expect: clean
program goodgroup
  use mpi
  implicit none
  integer ierr
  integer :: world, both
  call MPI_Init(ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_union(world, MPI_GROUP_EMPTY, both, ierr)
  call MPI_Group_free(both, ierr)
  call MPI_Group_free(world, ierr)
  call MPI_Finalize(ierr)
end program goodgroup
