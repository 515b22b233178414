! vouch: run -n 3
! expect: clean
!
! A barrier that is polled.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: y(16)
  integer request
  logical :: flag
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  flag = .false.
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Put(rank, 1, MPI_INTEGER, 1, int(rank, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
  call MPI_Win_flush_all(win, ierr)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
  do while (.not. flag)
    call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierr)
  end do
  if (rank == 1) call MPI_Allreduce(memory, y, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
