! vouch: run -n 2
! expect: error collective/constructor @a
! also: crash
! exit: any
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer :: world, part, comm, ranks(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  ranks = (/ 0, 1 /)
  if (rank == 1) ranks = (/ 1, 0 /)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 2, ranks, part, ierr)
  call MPI_Comm_create_group(MPI_COMM_WORLD, part, 5, comm, ierr)  ! @a
  call MPI_Comm_free(comm, ierr)
  call MPI_Group_free(part, ierr)
  call MPI_Group_free(world, ierr)
  call MPI_Finalize(ierr)
end program litmus
