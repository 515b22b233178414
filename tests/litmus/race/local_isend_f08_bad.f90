! vouch: run -n 2
! expect: error race/local @a @b
! compile: vouch fc
!
! The buffer of a send is written before the send is complete.
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
    call MPI_Isend(x, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)  ! @a
    x(4) = 1  ! @b
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Recv(x, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program litmus
