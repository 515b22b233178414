! vouch: run -n 1
! expect: error argument/root @a
program badroot
  implicit none
  include 'mpif.h'
  integer ierr
  integer x, y
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 1
  call MPI_Reduce(x, y, 1, MPI_INTEGER, MPI_SUM, -8, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program badroot
