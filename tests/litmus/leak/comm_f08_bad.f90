! vouch: run -n 2
! expect: warning leak/communicator @a
program leaking
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, comm)  ! @a
  call MPI_Finalize()
end program leaking
