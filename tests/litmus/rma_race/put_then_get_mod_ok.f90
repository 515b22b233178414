! vouch: run -n 2
! expect: clean
!
! A flush, or an end of the epoch, between them.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16), y(16)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_flush(1, win, ierr)
    call MPI_Get(y, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) call MPI_Get(y, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
