! vouch: run -n 2
! expect: clean
!
! The flag is set once the data are there; the reader polls it.
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16), y(16)
  integer :: one
  integer :: seen
  type(MPI_Win) :: win
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
    call MPI_Put(x, 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_flush(1, win, ierr)
    call MPI_Accumulate(one, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_REPLACE, win, ierr)
    call MPI_Win_flush(1, win, ierr)
  else
    do while (seen == 0)
      call MPI_Fetch_and_op(one, seen, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, MPI_NO_OP, win, ierr)
      call MPI_Win_flush(1, win, ierr)
    end do
    call MPI_Allreduce(memory(2), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
