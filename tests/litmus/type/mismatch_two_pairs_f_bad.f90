! vouch: run -n 2
! expect: error type/mismatch @a
! expect: error type/mismatch @b
! Two exchanges that have nothing to do with each other, each with a mistake of its own.
program two_pairs
  use mpi
  implicit none
  integer :: rank, halo, ierr
  real :: f
  double precision :: d
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, halo, ierr)
  f = 1
  if (rank == 0) then
    call MPI_Send(f, 1, MPI_REAL, 1, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(f, 1, MPI_REAL, 1, 7, halo, ierr)
  else
    call MPI_Recv(d, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
    call MPI_Recv(d, 1, MPI_DOUBLE_PRECISION, 0, 7, halo, MPI_STATUS_IGNORE, ierr)  ! @b
  end if
  call MPI_Comm_free(halo, ierr)
  call MPI_Finalize(ierr)
end program
