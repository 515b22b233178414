! vouch: run -n 2
! expect: clean
! compile: vouch fc
!
! The buffer of a send may be read.
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  integer, asynchronous :: x(16)
  type(MPI_Request) :: request
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  if (rank == 0) then
    call MPI_Isend(x, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)
    x(5) = x(4)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    x(4) = 1
  else
    call MPI_Recv(x, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program litmus
