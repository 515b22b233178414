! vouch: run -n 2
! expect: error deadlock/wait-cycle @a
! also: crash
program create_group_f
  implicit none
  include 'mpif.h'
  integer :: rank, x, group, comm, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  if (rank == 0) then
    call MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm, ierr)  ! @a
    call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm, ierr)
  end if
  call MPI_Comm_free(comm, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Finalize(ierr)
end program create_group_f
