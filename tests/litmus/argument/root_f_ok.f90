! vouch: run -n 1
! expect: clean
program goodroot
  implicit none
  include 'mpif.h'
  integer ierr
  integer x, y
  call MPI_Init(ierr)
  x = 1
  call MPI_Reduce(x, y, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program goodroot
