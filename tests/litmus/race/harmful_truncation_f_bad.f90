! vouch: run -n 3
! expect: error race/message-harmful @a
program p
  implicit none
  include 'mpif.h'
  integer :: ierr
  integer :: rank
  integer :: x(4), y(4)
  integer :: k
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
    call MPI_Recv(y, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
    call MPI_Recv(y, 2, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else if (rank == 1) then
    call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, ierr)
    call MPI_Send(x, 0, MPI_INTEGER, 2, 6, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(y, 0, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Send(x, 2, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program p
