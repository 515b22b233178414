! vouch: run -n 2
! expect: error rma/race @a @b
!
! The root of a broadcast may be done before others enter.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer token
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16), y(16)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  token = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 1) call MPI_Allreduce(memory, y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @a
  call MPI_Bcast(token, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
