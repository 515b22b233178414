! vouch: run -n 1
! expect: warning crash/error-return @a
! The copy callback fails, and with it MPI_Comm_dup.
program refusing
  implicit none
  include 'mpif.h'
  integer ierr
  integer keyval, comm, twin
  integer(MPI_ADDRESS_KIND) value
  external refuse
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  value = 7
  call MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, keyval, value, ierr)
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_attr(comm, keyval, value, ierr)
  call MPI_Comm_dup(comm, twin, ierr)  ! @a
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Finalize(ierr)
end program refusing

subroutine refuse(comm, keyval, extra, in, out, flag, ierr)
  implicit none
  include 'mpif.h'
  integer comm, keyval, ierr
  integer(MPI_ADDRESS_KIND) extra, in, out
  logical flag
  flag = .false.
  ierr = MPI_ERR_OTHER
end subroutine refuse
