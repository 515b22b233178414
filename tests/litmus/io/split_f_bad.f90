! vouch: run -n 1
! expect: error io/split @a
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  integer :: file
  integer(kind=MPI_OFFSET_KIND) :: at
  integer :: x, y
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 1
  y = 2
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file, ierr)
  call MPI_File_write_all_begin(file, x, 1, MPI_INTEGER, ierr)
  call MPI_File_write_all(file, y, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_File_write_all_end(file, x, MPI_STATUS_IGNORE, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program litmus
