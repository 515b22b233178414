! vouch: run -n 2
! expect: error buffer/call-overlap @a
! also: crash
! The root's own part lies in the receive buffer already.
program gathering
  implicit none
  include 'mpif.h'
  integer ierr, rank, a(2)
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Gather(a(rank+1), 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program gathering
