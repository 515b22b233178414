! vouch: run -n 2
! expect: clean
! [U2] from Fortran.
program insignificant
  use mpi
  implicit none
  integer ierr
  integer :: rank, x, y(2), kind, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  kind = MPI_DATATYPE_NULL
  n = -7
  if (rank == 0) kind = MPI_INTEGER
  if (rank == 0) n = 1
  call MPI_Gather(x, 1, MPI_INTEGER, y, n, kind, 0, MPI_COMM_WORLD, ierr)
  call MPI_Scatter(y, n, kind, x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program insignificant
