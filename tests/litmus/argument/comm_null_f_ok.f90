! vouch: run -n 1
! expect: clean
program null
  implicit none
  include 'mpif.h'
  integer ierr
  integer size
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_SELF, size, ierr)
  if (size /= 1) stop 1
  call MPI_Finalize(ierr)
end program null
