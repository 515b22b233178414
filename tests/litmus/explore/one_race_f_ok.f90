! vouch: explore -n 3
! expect: clean
! explores: 4
program one_race
  use mpi
  implicit none
  integer :: rank, x, i, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  do i = 1, 2
    if (rank == 0) then
      call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    else
      call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  call MPI_Finalize(ierr)
end program one_race
