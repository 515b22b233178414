! vouch: run -n 1
! expect: clean
program goodmode
  implicit none
  include 'mpif.h'
  integer ierr
  integer file, mode
  call MPI_Init(ierr)
  mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program goodmode
