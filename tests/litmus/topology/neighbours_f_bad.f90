! vouch: run -n 2
! expect: error topology/neighbours @a
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, parameter :: info = MPI_INFO_NULL
  integer :: g, zero(1), one(1), nin, nout
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  zero = 0
  one = 1
  nin = 0
  nout = 1 - rank
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nin, zero, MPI_UNWEIGHTED, nout, one, MPI_UNWEIGHTED, info, .false., g, ierr)  ! @a
  call MPI_Comm_free(g, ierr)
  call MPI_Finalize(ierr)
end program litmus
