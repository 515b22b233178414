! vouch: run -n 1
! expect: clean
program leaking
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  integer :: mode
  call MPI_Init()
  mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file)
  call MPI_File_close(file)
  call MPI_Finalize()
end program leaking
