! vouch: run -n 3
! expect: error rma/race @a @b
!
! The last element of one is the first of the other.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16)
  integer type
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  memory = 0
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Type_vector(4, 1, 2, MPI_INTEGER, type, ierr)
  call MPI_Type_commit(type, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  if (rank == 0) then
    call MPI_Put(x, 1, type, 1, 0_MPI_ADDRESS_KIND, 1, type, win, ierr)  ! @a
  else if (rank == 2) then
    call MPI_Put(x, 1, type, 1, 6_MPI_ADDRESS_KIND, 1, type, win, ierr)  ! @b
  end if
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Type_free(type, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
