! vouch: run -n 2
! expect: error deadlock/finished-rank @a
! also: crash
! The message is there, under another tag.
program near_tag_f
  use mpi
  implicit none
  integer :: rank, x, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
  end if
  call MPI_Finalize(ierr)
end program near_tag_f
