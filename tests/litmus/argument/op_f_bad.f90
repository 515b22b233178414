! vouch: run -n 1
! expect: error argument/op @a
program badop
  implicit none
  include 'mpif.h'
  integer ierr
  character x, y
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 'a'
  call MPI_Allreduce(x, y, 1, MPI_CHARACTER, MPI_MAX, MPI_COMM_SELF, ierr)  ! @a
  call MPI_Finalize(ierr)
end program badop
