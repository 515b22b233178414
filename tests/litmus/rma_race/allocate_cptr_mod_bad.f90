! vouch: run -n 2
! expect: error rma/race @a
! A window whose base address is of type(c_ptr): the standard's overload of MPI_Win_allocate.
program litmus
  use mpi
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer ierr, rank, x, win
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  type(c_ptr) :: base
  integer, pointer :: memory(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  bytes = 64
  x = rank
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
  call c_f_pointer(base, memory, [16])
  disp = 0
  call MPI_Win_fence(0, win, ierr)
  call MPI_Put(x, 1, MPI_INTEGER, 0, disp, 1, MPI_INTEGER, win, ierr)  ! @a
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program litmus
