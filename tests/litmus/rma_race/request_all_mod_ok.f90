! vouch: run -n 2
! expect: clean
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer i
  integer, save, asynchronous :: memory(100)
  integer, asynchronous :: y(16)
  integer, asynchronous :: buffer(100)
  integer requests(100)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 400
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    do i = 0, 99
      call MPI_Rget(buffer(i + 1), 1, MPI_INTEGER, 1, int(i, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, requests(i + 1), ierr)
    end do
    call MPI_Waitall(100, requests, MPI_STATUSES_IGNORE, ierr)
    call MPI_Allreduce(buffer(100), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
