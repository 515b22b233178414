! vouch: run -n 1
! expect: clean
program bottom
  use mpi
  implicit none
  integer ierr
  integer :: x, y, absolute, request
  integer(MPI_ADDRESS_KIND) :: address(1)
  call MPI_Init(ierr)
  x = 1
  call MPI_Get_address(x, address(1), ierr)
  call MPI_Type_create_hindexed(1, [1], address, MPI_INTEGER, absolute, ierr)
  call MPI_Type_commit(absolute, ierr)
  call MPI_Irecv(y, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(MPI_BOTTOM, 1, absolute, 0, 7, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Type_free(absolute, ierr)
  call MPI_Finalize(ierr)
end program bottom
