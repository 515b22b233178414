! vouch: run -n 1
! expect: error argument/in-place @a
! also: crash
program inplace
  implicit none
  include 'mpif.h'
  integer ierr
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Bcast(MPI_IN_PLACE, 1, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)  ! @a
  call MPI_Finalize(ierr)
end program inplace
