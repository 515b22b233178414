! vouch: run -n 1
! expect: error buffer/bsend @a
! also: crash
program twice
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  integer, save :: a(2000), b(2000)
  integer :: n
  type(c_ptr) :: p
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Buffer_attach(a, 8000)
  call MPI_Buffer_attach(b, 8000)  ! @a
  call MPI_Buffer_detach(p, n)
  call MPI_Finalize()
end program twice
