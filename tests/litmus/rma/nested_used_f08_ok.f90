! vouch: run -n 2
! expect: clean
program nested
  use mpi_f08
  use iso_c_binding
  implicit none
  integer :: rank
  integer, asynchronous, save :: memory(16), x(16)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, at
  type(MPI_Win) :: win
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 0
  memory = 0
  bytes = 64
  at = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  if (rank == 0) call MPI_Put(x, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  if (rank == 0) then
    call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win)
    call MPI_Win_unlock(1, win)
  end if
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program nested
