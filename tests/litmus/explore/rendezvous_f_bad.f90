! vouch: explore -n 3
! expect: error deadlock/wait-cycle @a
program rendezvous
  use mpi
  implicit none
  integer, parameter :: many = 1048576
  integer :: rank, ierr
  integer, save :: x(many)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  if (rank == 0) then
    call MPI_Recv(x, many, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
    call MPI_Recv(x, many, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else if (rank == 1) then
    call MPI_Send(x, many, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Send(x, many, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program rendezvous
