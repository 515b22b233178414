! vouch: run -n 1
! expect: clean
program leaking
  use mpi_f08
  implicit none
  type(MPI_Op) :: op
  call MPI_Init()
  call MPI_Op_create(largest, .true., op)
  call MPI_Op_free(op)
  call MPI_Finalize()
contains
  subroutine largest(in, inout, length, kind)
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: kind
  end subroutine largest
end program leaking
