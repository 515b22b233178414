! vouch: run -n 2
! expect: error dynamic/disconnect @a
program litmus
  use mpi_f08
  implicit none
  integer ierr, rank
  type(MPI_Comm) :: comm
  type(MPI_Request) :: request
  integer, asynchronous :: x
  integer :: y
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  y = rank
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, 0, comm, request)
  call MPI_Send(y, 1, MPI_INTEGER, 1 - rank, 0, comm)
  call MPI_Comm_disconnect(comm)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize(ierr)
end program litmus
