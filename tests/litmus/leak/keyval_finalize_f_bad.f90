! vouch: run -n 1
! expect: warning leak/keyval @a
module kept
  use mpi
  implicit none
  integer :: keyval
contains
  subroutine gone(comm, key, attribute, extra, ierr)
    integer :: comm, key, ierr
    integer(kind=MPI_ADDRESS_KIND) :: attribute, extra
    ierr = MPI_SUCCESS
  end subroutine gone
end module kept

program keyval_finalize_f
  use kept
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call make()
  call MPI_Finalize(ierr)
end program keyval_finalize_f

subroutine make()
  use kept, only: keyval, gone
  implicit none
  include 'mpif.h'
  integer :: ierr
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, keyval, 0_MPI_ADDRESS_KIND, ierr)  ! @a
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 1_MPI_ADDRESS_KIND, ierr)
end subroutine make
