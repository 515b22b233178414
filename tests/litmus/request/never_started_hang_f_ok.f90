! vouch: run -n 2
! expect: clean
program never_started_hang_f
  implicit none
  include 'mpif.h'
  integer :: rank, x, request, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
    call MPI_Recv_init(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Request_free(request, ierr)
  else
    call MPI_Ssend(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program never_started_hang_f
