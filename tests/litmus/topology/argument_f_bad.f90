! vouch: run -n 1
! expect: error topology/argument @a
program direction
  use mpi
  implicit none
  integer ierr
  integer :: ring, source, dest
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Cart_create(MPI_COMM_SELF, 1, [1], [.true.], .false., ring, ierr)
  call MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN, ierr)
  call MPI_Cart_shift(ring, 1, 1, source, dest, ierr)  ! @a
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
end program direction
