! vouch: run -n 2
! expect: clean
program litmus
  use mpi
  implicit none
  integer ierr, rank, x(16)
  integer, save, asynchronous :: memory(16)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  integer win
  integer all
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  disp = 0
  bytes = 64
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_get_group(win, all, ierr)
  call MPI_Win_post(all, 0, win, ierr)
  call MPI_Win_start(all, 0, win, ierr)
  call MPI_Win_complete(win, ierr)
  call MPI_Win_wait(win, ierr)
  call MPI_Win_post(all, 0, win, ierr)
  call MPI_Win_start(all, 0, win, ierr)
  call MPI_Win_complete(win, ierr)
  call MPI_Win_wait(win, ierr)
  call MPI_Group_free(all, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
