! vouch: run -n 3
! expect: clean
!
! Every pair of accesses that agrees, each at an element of its own: origin (o) and target (t) of Get
! and Put, reads and writes by the owner.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(128)
  integer, asynchronous :: y(16)
  integer, asynchronous :: z(32)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 512
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  z = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    call MPI_Get(z(5), 1, MPI_INTEGER, 1, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  else if (rank == 1) then
    call MPI_Put(memory(1), 1, MPI_INTEGER, 0, 64_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Put(memory(1), 1, MPI_INTEGER, 0, 65_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Put(memory(2), 1, MPI_INTEGER, 0, 66_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Put(memory(3), 1, MPI_INTEGER, 0, 69_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Put(memory(4), 1, MPI_INTEGER, 0, 70_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(memory(4), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Allreduce(memory(6), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Allreduce(memory(7), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Get(memory(7), 1, MPI_INTEGER, 0, 77_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(y, memory(8), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Get(memory(8), 1, MPI_INTEGER, 0, 79_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(memory(9), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Put(memory(9), 1, MPI_INTEGER, 0, 81_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(y, memory(10), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    call MPI_Put(memory(10), 1, MPI_INTEGER, 0, 83_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Allreduce(memory(11), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  else
    call MPI_Get(z(2), 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Get(z(3), 1, MPI_INTEGER, 1, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Get(z(5), 1, MPI_INTEGER, 1, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Get(z(6), 1, MPI_INTEGER, 1, 5_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Get(z(11), 1, MPI_INTEGER, 1, 10_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
