! vouch: run -n 2
! expect: clean
program inter_cart
  use mpi_f08
  implicit none
  type(MPI_Comm) :: inter, merged, grid
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, inter)
  call MPI_Intercomm_merge(inter, rank == 1, merged)
  call MPI_Cart_create(merged, 1, [2], [.false.], .false., grid)
  call MPI_Comm_free(grid)
  call MPI_Comm_free(merged)
  call MPI_Comm_free(inter)
  call MPI_Finalize()
end program inter_cart
