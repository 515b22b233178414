! vouch: run -n 4
! expect: clean
!
! Everybody puts to everybody, each to a place of its own.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer i
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: y(16)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  do i = 0, 3
    call MPI_Put(rank, 1, MPI_INTEGER, i, int(rank, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
  end do
  call MPI_Win_flush_all(win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(memory, y, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
