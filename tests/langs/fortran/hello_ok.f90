! vouch: run -n 2
! expect: clean
program hello
  use mpi
  implicit none
  integer :: rank, size, sum, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  print *, 'rank', rank, 'of', size
  call MPI_Finalize(ierr)
  if (sum /= size * (size - 1) / 2) stop 1
end program
