! vouch: run -n 2
! expect: error lifecycle/no-finalize @a
! also: crash
program no_finalize
  use mpi_f08
  implicit none
  call MPI_Init()
  call MPI_Barrier(MPI_COMM_WORLD)  ! @a
end program no_finalize
