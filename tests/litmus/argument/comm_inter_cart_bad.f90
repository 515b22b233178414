! vouch: run -n 2
! expect: error argument/communicator @a
program inter_cart
  use mpi_f08
  implicit none
  type(MPI_Comm) :: inter, grid
  integer :: rank
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, inter)
  call MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN)
  call MPI_Cart_create(inter, 1, [1], [.false.], .false., grid)  ! @a
  call MPI_Comm_free(inter)
  call MPI_Finalize()
end program inter_cart
