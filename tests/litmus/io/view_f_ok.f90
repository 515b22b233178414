! vouch: run -n 1
! expect: clean
program litmus
  implicit none
  include 'mpif.h'
  integer ierr, rank
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  integer :: file
  integer(kind=MPI_OFFSET_KIND) :: at
  integer :: typ, lengths(2), where(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  lengths = 1
  where = (/ 0, 2 /)
  at = 0
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', mode, MPI_INFO_NULL, file, ierr)
  call MPI_Type_indexed(2, lengths, where, MPI_INTEGER, typ, ierr)
  call MPI_Type_commit(typ, ierr)
  call MPI_File_set_view(file, at, MPI_INTEGER, typ, 'native', MPI_INFO_NULL, ierr)
  call MPI_Type_free(typ, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program litmus
