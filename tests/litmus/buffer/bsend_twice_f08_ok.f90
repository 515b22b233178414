! vouch: run -n 1
! expect: clean
! One after the other; the last one stays attached.
program twice
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  integer, save :: a(2000), b(2000)
  integer :: n
  type(c_ptr) :: p
  call MPI_Init()
  call MPI_Buffer_attach(a, 8000)
  call MPI_Buffer_detach(p, n)
  call MPI_Buffer_attach(b, 8000)
  call MPI_Finalize()
end program twice
