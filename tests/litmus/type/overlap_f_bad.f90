! vouch: run -n 2
! expect: error type/overlap @a
program sharing
  implicit none
  include 'mpif.h'
  integer ierr, rank, t, x(8), lengths(2), displacements(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  lengths = 3
  displacements = (/ 0, 2 /)
  x = rank
  call MPI_Type_indexed(2, lengths, displacements, MPI_INTEGER, t, ierr)
  call MPI_Type_commit(t, ierr)
  if (rank == 0) then
    call MPI_Recv(x, 1, t, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
  else
    call MPI_Send(x, 1, t, 0, 7, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Type_free(t, ierr)
  call MPI_Finalize(ierr)
end program sharing
