! vouch: run -n 3
! expect: clean
!
! Who counts last reads what all have put.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: y(16)
  integer :: one
  integer :: seen
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  one = 1
  seen = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Put(rank, 1, MPI_INTEGER, 0, int(1 + rank, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  call MPI_Fetch_and_op(one, seen, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  if (seen == 2) call MPI_Get(y, 3, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
