! vouch: run -n 2
! expect: warning deadlock/wait-cycle @a
program comm_free_f
  implicit none
  include 'mpif.h'
  integer :: rank, comm, x, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  if (rank == 0) then
    call MPI_Comm_free(comm, ierr)  ! @a
    call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_free(comm, ierr)
  end if
  call MPI_Finalize(ierr)
end program comm_free_f
