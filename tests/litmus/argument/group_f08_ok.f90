! vouch: run -n 2
! expect: clean
program goodgroup
  use mpi_f08
  implicit none
  type(MPI_Group) :: world, part
  call MPI_Init()
  call MPI_Comm_group(MPI_COMM_WORLD, world)
  call MPI_Group_incl(world, 2, [1, 0], part)
  call MPI_Group_free(part)
  call MPI_Group_free(world)
  call MPI_Finalize()
end program goodgroup
