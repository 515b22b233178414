! vouch: run -n 3
! expect: clean
!
! A lock by compare-and-swap.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer i
  integer, save, asynchronous :: memory(16)
  integer :: one
  integer :: zero
  integer :: held
  integer :: value
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  one = 1
  zero = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  do i = 0, 3
    held = 1
    do while (held == 1)
      call MPI_Compare_and_swap(one, zero, held, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, win, ierr)
      call MPI_Win_flush(0, win, ierr)
    end do
    call MPI_Get(value, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_flush(0, win, ierr)
    value = value + 1
    call MPI_Put(value, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_flush(0, win, ierr)
    call MPI_Accumulate(zero, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_REPLACE, win, ierr)
    call MPI_Win_flush(0, win, ierr)
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Get(value, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  if (value /= 12) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
