! vouch: run -n 2
! expect: error argument/rank @a
! also: crash
! [U7] from Fortran.
program fatal
  use mpi_f08
  implicit none
  integer :: x, rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 1
  if (rank == 1) call MPI_Send(x, 1, MPI_INTEGER, 99, 7, MPI_COMM_WORLD)  ! @a
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program fatal
