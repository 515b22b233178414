! vouch: run -n 1
! expect: clean
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  type(MPI_File) :: file
  type(MPI_Request) :: request
  integer(kind=MPI_OFFSET_KIND) :: bytes
  integer, asynchronous :: x
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 1
  bytes = 64
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file)
  call MPI_File_iwrite(file, x, 1, MPI_INTEGER, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_File_set_size(file, bytes)
  call MPI_File_close(file)
  call MPI_Finalize(ierr)
end program litmus
