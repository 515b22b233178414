! vouch: run -n 1
! expect: clean
program goodop
  implicit none
  include 'mpif.h'
  integer ierr
  integer x(2), y(2)
  logical p, q
  complex c, d
  call MPI_Init(ierr)
  x = 1
  p = .true.
  c = 1
  call MPI_Allreduce(x, y, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_SELF, ierr)
  call MPI_Allreduce(p, q, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_SELF, ierr)
  call MPI_Allreduce(c, d, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Allreduce(x, y, 2, MPI_INTEGER, MPI_BOR, MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
end program goodop
