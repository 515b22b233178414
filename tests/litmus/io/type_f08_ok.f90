! vouch: run -n 1
! expect: clean
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  type(MPI_File) :: file
  integer(kind=MPI_OFFSET_KIND) :: at
  double precision :: x(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 1
  at = 0
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file)
  call MPI_File_set_view(file, at, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL)
  call MPI_File_write(file, x, 2, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
  call MPI_File_close(file)
  call MPI_Finalize(ierr)
end program litmus
