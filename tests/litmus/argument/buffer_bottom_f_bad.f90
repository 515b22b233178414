! vouch: run -n 1
! expect: error argument/buffer-null @a
! MPI_BOTTOM with a type that is not absolute.
program bottom
  use mpi
  implicit none
  integer ierr
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(MPI_BOTTOM, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program bottom
