! vouch: run -n 3
! expect: error rma/race @a @a
!
! Two origins in one exposure epoch.
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, save, asynchronous :: memory(16)
  integer, asynchronous :: x(16)
  integer all
  integer origins
  integer targets
  integer, asynchronous :: origins_ranks(2)
  integer, asynchronous :: targets_ranks(1)
  integer win
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 64
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  memory = 0
  call MPI_Comm_group(MPI_COMM_WORLD, all, ierr)
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  targets_ranks = [1]
  call MPI_Group_incl(all, 1, targets_ranks, targets, ierr)
  origins_ranks = [0, 2]
  call MPI_Group_incl(all, 2, origins_ranks, origins, ierr)
  if (rank == 1) then
    call MPI_Win_post(origins, 0, win, ierr)
    call MPI_Win_wait(win, ierr)
  else
    call MPI_Win_start(targets, 0, win, ierr)
    call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)  ! @a
    call MPI_Win_complete(win, ierr)
  end if
  call MPI_Group_free(targets, ierr)
  call MPI_Group_free(origins, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Group_free(all, ierr)
  call MPI_Finalize(ierr)
end program litmus
