! vouch: run -n 3
! expect: error race/local @a0 @b0
! expect: error race/local @a1 @b1
! expect: error race/local @a2 @b2
! expect: error rma/race @a3 @b3
! expect: error rma/race @a4 @b4
! expect: error race/local @a5 @b5
! expect: error race/local @a6 @b6
! expect: error rma/race @a7 @b7
! expect: error race/local @a8 @b8
! expect: error rma/race @a9 @b9
! expect: error rma/race @a10 @b10
! expect: error rma/race @a11 @b11
! expect: error rma/race @a12 @b12
! expect: error rma/race @a13 @b13
! expect: error rma/race @a14 @b14
! expect: error rma/race @a15 @b15
! expect: error rma/race @a16 @b16
! expect: error rma/race @a17 @b17
! expect: error rma/race @a18 @b18
! expect: error rma/race @a19 @b19
!
! Every pair of accesses that conflicts, each at an element of its own: origin (o) and target (t) of Get
! and Put, reads and writes by the owner.
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer, save, asynchronous :: memory(128)
  integer, asynchronous :: y(16)
  integer, asynchronous :: z(32)
  type(MPI_Win) :: win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 512
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = 0
  z = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) then
    call MPI_Put(z(10), 1, MPI_INTEGER, 1, 9_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b9
    call MPI_Get(z(11), 1, MPI_INTEGER, 1, 10_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b10
    call MPI_Put(z(13), 1, MPI_INTEGER, 1, 12_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b12
  else if (rank == 1) then
    call MPI_Get(memory(1), 1, MPI_INTEGER, 0, 64_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a0
    call MPI_Get(memory(1), 1, MPI_INTEGER, 0, 65_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b0
    call MPI_Get(memory(2), 1, MPI_INTEGER, 0, 66_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a1
    call MPI_Put(memory(2), 1, MPI_INTEGER, 0, 67_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b1
    call MPI_Put(memory(3), 1, MPI_INTEGER, 0, 68_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a2
    call MPI_Get(memory(3), 1, MPI_INTEGER, 0, 69_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b2
    call MPI_Get(memory(4), 1, MPI_INTEGER, 0, 70_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a3
    call MPI_Get(memory(5), 1, MPI_INTEGER, 0, 72_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a4
    call MPI_Get(memory(6), 1, MPI_INTEGER, 0, 74_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a5
    call MPI_Allreduce(memory(6), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b5
    call MPI_Get(memory(7), 1, MPI_INTEGER, 0, 76_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a6
    call MPI_Allreduce(y, memory(7), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b6
    call MPI_Put(memory(8), 1, MPI_INTEGER, 0, 78_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a7
    call MPI_Put(memory(9), 1, MPI_INTEGER, 0, 80_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a8
    call MPI_Allreduce(y, memory(9), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b8
    call MPI_Allreduce(y, memory(12), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b11
    call MPI_Allreduce(memory(14), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b13
    call MPI_Allreduce(y, memory(15), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @b14
    call MPI_Get(memory(16), 1, MPI_INTEGER, 0, 95_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b15
    call MPI_Get(memory(17), 1, MPI_INTEGER, 0, 97_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b16
    call MPI_Allreduce(memory(18), y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @a17
    call MPI_Allreduce(y, memory(19), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @a18
    call MPI_Allreduce(y, memory(20), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)  ! @a19
  else
    call MPI_Get(z(4), 1, MPI_INTEGER, 1, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b3
    call MPI_Put(z(5), 1, MPI_INTEGER, 1, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b4
    call MPI_Put(z(8), 1, MPI_INTEGER, 1, 7_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b7
    call MPI_Get(z(10), 1, MPI_INTEGER, 1, 9_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a9
    call MPI_Put(z(11), 1, MPI_INTEGER, 1, 10_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a10
    call MPI_Get(z(12), 1, MPI_INTEGER, 1, 11_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a11
    call MPI_Put(z(13), 1, MPI_INTEGER, 1, 12_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a12
    call MPI_Put(z(14), 1, MPI_INTEGER, 1, 13_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a13
    call MPI_Put(z(15), 1, MPI_INTEGER, 1, 14_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a14
    call MPI_Get(z(16), 1, MPI_INTEGER, 1, 15_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a15
    call MPI_Put(z(17), 1, MPI_INTEGER, 1, 16_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a16
    call MPI_Put(z(18), 1, MPI_INTEGER, 1, 17_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b17
    call MPI_Get(z(19), 1, MPI_INTEGER, 1, 18_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b18
    call MPI_Put(z(20), 1, MPI_INTEGER, 1, 19_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @b19
  end if
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
