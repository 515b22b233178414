! vouch: run -n 2
! expect: error race/local @a @b
!
! The second read touches the first and reaches into what the Get writes.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
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
  if (rank == 1) then
    call MPI_Allreduce(memory(4), y, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Get(memory(12), 4, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, ierr)  ! @a
    call MPI_Allreduce(memory(6), y, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
