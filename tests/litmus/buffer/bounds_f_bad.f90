! vouch: run --check-buffers -n 2
! expect: error buffer/bounds @a
program bounds
  implicit none
  include 'mpif.h'
  integer ierr, rank
  double precision, allocatable :: a(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate(a(10))
  a = rank
  call MPI_Bcast(a(2), 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program bounds
