! vouch: run -n 1
! expect: clean
! requires: openmpi
! A file that is not there is an answer, not a mistake. (MPICH's Fortran entry follows a wild pointer then.)
program looking
  implicit none
  include 'mpif.h'
  integer ierr
  integer file
  call MPI_Init(ierr)
  call MPI_File_open(MPI_COMM_SELF, 'no/such/file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  if (ierr == MPI_SUCCESS) call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program looking
