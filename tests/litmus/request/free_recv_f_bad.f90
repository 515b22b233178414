! vouch: run -n 2
! expect: warning request/free @a
program free_recv_f
  implicit none
  include 'mpif.h'
  integer :: rank, x, y, request, ierr
  save :: y
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
    call MPI_Irecv(y, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request, ierr)
    call MPI_Request_free(request, ierr)  ! @a
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  else
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program free_recv_f
