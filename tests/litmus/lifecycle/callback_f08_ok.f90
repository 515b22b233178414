! vouch: run -n 1
! expect: clean
program callback
  use mpi_f08
  implicit none
  type(MPI_Op) :: op
  integer :: a, b
  call MPI_Init()
  a = 1
  b = 2
  call MPI_Op_create(first, .true., op)
  call MPI_Reduce_local(a, b, 1, MPI_INTEGER, op)
  call MPI_Op_free(op)
  call MPI_Finalize()
contains
  subroutine first(in, inout, length, kind)
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(c_ptr), value :: in, inout
    integer :: length, bytes
    type(MPI_Datatype) :: kind
    call MPI_Type_size(kind, bytes)
  end subroutine first
end program callback
