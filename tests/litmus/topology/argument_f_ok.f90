! vouch: run -n 1
! expect: clean
program direction
  use mpi
  implicit none
  integer ierr
  integer :: ring, source, dest
  call MPI_Init(ierr)
  call MPI_Cart_create(MPI_COMM_SELF, 1, [1], [.true.], .false., ring, ierr)
  call MPI_Cart_shift(ring, 0, 1, source, dest, ierr)
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
end program direction
