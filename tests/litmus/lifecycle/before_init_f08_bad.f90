! vouch: run -n 1
! expect: error lifecycle/before-init @a
! also: crash
program before_init
  use mpi_f08
  implicit none
  integer :: rank
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)  ! @a
  call MPI_Init()
  call MPI_Finalize()
end program before_init
