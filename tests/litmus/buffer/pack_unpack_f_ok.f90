! vouch: run -n 1
! expect: clean
program unpacking
  implicit none
  include 'mpif.h'
  integer ierr, position, x(2)
  character packed(64)
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  x = 1
  position = 0
  call MPI_Pack(x, 2, MPI_INTEGER, packed, 64, position, MPI_COMM_WORLD, ierr)
  position = 4
  call MPI_Unpack(packed, 56, position, x, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program unpacking
