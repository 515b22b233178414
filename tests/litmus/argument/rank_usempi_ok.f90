! vouch: run -n 1
! expect: clean
program goodrank
  use mpi
  implicit none
  integer ierr
  integer :: x, y, request
  call MPI_Init(ierr)
  x = 1
  call MPI_Irecv(y, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program goodrank
