! vouch: run -n 2
! expect: error argument/group @a
program badgroup
  use mpi_f08
  implicit none
  type(MPI_Group) :: world, part
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_group(MPI_COMM_WORLD, world)
  part = MPI_GROUP_NULL
  call MPI_Group_incl(world, 1, [5], part)  ! @a
  call MPI_Group_free(world)
  call MPI_Finalize()
end program badgroup
