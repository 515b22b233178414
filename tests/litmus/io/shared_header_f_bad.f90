! vouch: run -n 2
! expect: warning io/conflict @a
! Rank 0 writes a header that is too long: into what rank 1 writes at the shared pointer.
program header
  implicit none
  include 'mpif.h'
  integer, parameter :: mode = MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE
  integer :: ierr, rank, file, values(6)
  integer(kind=MPI_OFFSET_KIND) :: start, behind
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = rank
  start = 0
  behind = 4
  call MPI_File_open(MPI_COMM_WORLD, 'litmus.dat', mode, MPI_INFO_NULL, file, ierr)
  call MPI_File_set_view(file, start, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  if (rank == 0) call MPI_File_write_at(file, start, values, 6, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_File_seek_shared(file, behind, MPI_SEEK_SET, ierr)
  call MPI_File_write_ordered(file, values, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program header
