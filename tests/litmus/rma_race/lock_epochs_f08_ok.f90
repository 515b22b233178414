! vouch: run -n 3
! expect: clean
!
! Shared locks, and a message between the epochs.
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer token
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16)
  type(MPI_Win) :: win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  token = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  if (rank == 0) then
    call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win, ierr)
    call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_unlock(1, win, ierr)
    call MPI_Send(token, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, ierr)
  else if (rank == 2) then
    call MPI_Recv(token, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win, ierr)
    call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_unlock(1, win, ierr)
  end if
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
