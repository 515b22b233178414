! vouch: run -n 2
! expect: clean
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  integer :: file
  integer(kind=MPI_OFFSET_KIND) :: at
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  at = 8
  call MPI_File_open(MPI_COMM_WORLD, 'litmus.dat', mode, MPI_INFO_NULL, file, ierr)
  call MPI_File_set_size(file, at, ierr)
  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program litmus
