! vouch: run -n 3
! expect: error collective/op @a
program op_f
  use mpi
  implicit none
  integer :: rank
  integer :: x, y, op
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  op = MPI_SUM
  if (rank == 2) op = MPI_PROD
  call MPI_Allreduce(x, y, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program op_f
