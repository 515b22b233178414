! vouch: run -n 2
! expect: clean
!
! The holes of the origin's type are free.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16), y(16)
  integer type
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Type_vector(4, 1, 2, MPI_INTEGER, type, ierr)
  call MPI_Type_commit(type, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    call MPI_Get(x, 1, type, 1, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(y, x(4), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Win_flush_local(1, win, ierr)
    call MPI_Get(x(2), 1, type, 1, 0_MPI_ADDRESS_KIND, 1, type, win, ierr)
    call MPI_Win_flush(1, win, ierr)
    call MPI_Allreduce(x, y, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Type_free(type, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
