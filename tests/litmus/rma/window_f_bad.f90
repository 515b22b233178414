! vouch: run -n 2
! expect: error rma/window @a
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank, x(16)
  integer, save, asynchronous :: memory(16)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  integer win
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  disp = 0
  call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  bytes = 32
  call MPI_Win_attach(win, memory, bytes, ierr)
  call MPI_Win_detach(win, memory(2), ierr)  ! @a
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
