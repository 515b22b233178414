! vouch: run -n 1
! expect: error io/mode @a
! requires: openmpi
! (MPICH's Fortran entry follows a wild pointer after the failed call.)
program badmode
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  integer :: code
  call MPI_Init()
  call MPI_File_open(MPI_COMM_SELF, 'litmus.dat', MPI_MODE_RDONLY + MPI_MODE_EXCL, MPI_INFO_NULL, file, code)  ! @a
  if (code == MPI_SUCCESS) call MPI_File_close(file)
  call MPI_Finalize()
end program badmode
