! vouch: run -n 3
! expect: clean
program type_f
  use mpi
  implicit none
  integer :: rank
  integer :: x(4)
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 2) then
    call MPI_Bcast(x, 1, MPI_2INTEGER, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Bcast(x, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program type_f
