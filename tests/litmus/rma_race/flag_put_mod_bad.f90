! vouch: run -n 2
! expect: error rma/race @a @b
! expect: error rma/race @c @d
!
! The flag is set by a Put, which is not atomic: nothing follows from it.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16), y(16)
  integer :: one
  integer :: seen
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  one = 1
  seen = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    call MPI_Put(x, 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @c
    call MPI_Win_flush(1, win, ierr)
    call MPI_Put(one, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a
    call MPI_Win_flush(1, win, ierr)
  else
    do while (seen == 0)
      call MPI_Fetch_and_op(one, seen, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, MPI_NO_OP, win, ierr)  ! @b
      call MPI_Win_flush(1, win, ierr)
    end do
    call MPI_Allreduce(memory(2), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @d
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
