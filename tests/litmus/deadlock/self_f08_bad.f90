! vouch: run -n 1
! expect: error deadlock/wait-cycle @a
! also: crash
program self_f08
  use mpi_f08
  implicit none
  integer :: rank, x, y
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  y = rank
  call MPI_Ssend(y, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)  ! @a
  call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program self_f08
