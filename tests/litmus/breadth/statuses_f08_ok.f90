! A status in both forms of Fortran.
! vouch: run -n 1
! requires: mpich
! expect: clean
program statuses
  use mpi_f08
  implicit none
  type(MPI_Status) :: status
  integer :: old(MPI_STATUS_SIZE), x, y
  call MPI_Init()
  x = 1
  call MPI_Sendrecv(x, 1, MPI_INTEGER, 0, 7, y, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, status)
  call MPI_Status_f082f(status, old)
  if (old(MPI_TAG) /= 7) call MPI_Abort(MPI_COMM_WORLD, 1)
  call MPI_Status_f2f08(old, status)
  if (status%MPI_TAG /= 7) call MPI_Abort(MPI_COMM_WORLD, 2)
  call MPI_Finalize()
end program
