! vouch: run -n 2
! expect: clean
program litmus
  use mpi
  implicit none
  integer ierr, rank, x(16)
  integer, save, asynchronous :: memory(16)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  integer win
  double precision y(8)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  disp = 0
  bytes = 64
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  y = 0
  call MPI_Win_fence(0, win, ierr)
  disp = 0
  if (rank == 0) call MPI_Accumulate(y, 4, MPI_DOUBLE_PRECISION, 1, disp, 4, MPI_DOUBLE_PRECISION, MPI_SUM, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
