! vouch: run -n 1
! expect: error io/mode @a
! requires: openmpi
! (MPICH's Fortran entry follows a wild pointer after the failed call.)
program badmode
  implicit none
  include 'mpif.h'
  integer ierr
  integer file
  call MPI_Init(ierr)
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', MPI_MODE_CREATE, MPI_INFO_NULL, file, ierr)  ! @a
  if (ierr == MPI_SUCCESS) call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program badmode
