! vouch: run -n 3
! expect: error race/local @a @b
! expect: error rma/race @a @b
!
! Not flushed in between: the Put may send what was there before.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer i
  integer, save, asynchronous :: memory(16)
  integer :: value
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  do i = 0, 7
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
    call MPI_Get(value, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a
    call MPI_Put(value, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b
    call MPI_Win_unlock(0, win, ierr)
  end do
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
