! vouch: explore -n 3
! expect: error deadlock/wait-cycle @a
! explores: 1
program forced
  use mpi_f08
  implicit none
  integer :: rank, x
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 0
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD)  ! @a
    call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else if (rank == 1) then
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Send(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program forced
