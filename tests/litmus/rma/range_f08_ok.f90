! vouch: run -n 2
! expect: clean
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank, x(16)
  integer, save, asynchronous :: memory(16)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  type(MPI_Win) :: win
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  disp = 0
  bytes = 64
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  disp = 15
  if (rank == 0) call MPI_Put(x, 1, MPI_INTEGER, 1, disp, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
