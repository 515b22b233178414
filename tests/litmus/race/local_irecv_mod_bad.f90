! vouch: run -n 2
! expect: error race/local @a @b
! compile: vouch fc
!
! The buffer of a receive is read before the message is there.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, asynchronous :: x(16), y(16)
  integer request
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  if (rank == 0) then
    call MPI_Irecv(x, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)  ! @a
    y(1) = x(1)  ! @b
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Send(x, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program litmus
