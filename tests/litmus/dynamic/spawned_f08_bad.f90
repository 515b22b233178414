! vouch: run -- mpirun.openmpi --oversubscribe -n 1
! expect: error type/mismatch @a
! requires: openmpi
! Two spawned processes send and receive within their world. (MPICH's UCX device cannot spawn.)
program litmus
  use mpi_f08
  implicit none
  type(MPI_Comm) :: other
  integer :: rank, errors(2)
  integer :: n
  real(8) :: x
  character(len=512) :: self
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_get_parent(other)
  n = rank
  x = rank
  if (other == MPI_COMM_NULL) then
    call get_command_argument(0, self)
    call MPI_Comm_spawn(trim(self), MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, other, errors)
  else if (rank == 0) then
    call MPI_Send(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call MPI_Recv(x, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @a
  end if
  call MPI_Comm_disconnect(other)
  call MPI_Finalize()
end program litmus
