! vouch: run -n 2
! expect: error buffer/pending-overlap @a
program halo
  implicit none
  include 'mpif.h'
  integer ierr, rank, request
  double precision a(0:9)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Irecv(a(0), 2, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(a(1), 2, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program halo
