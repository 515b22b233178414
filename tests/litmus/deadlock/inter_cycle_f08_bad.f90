! vouch: run -n 3
! expect: error deadlock/wait-cycle @a
program inter_cycle
  use mpi_f08
  implicit none
  integer :: rank, next, before
  type(MPI_Comm) :: to_next, to_before
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  next = mod(rank + 1, 3)
  before = mod(rank + 2, 3)
  call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, next, 10 + rank, to_next)  ! @a
  call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, before, 10 + before, to_before)
  call MPI_Comm_free(to_before)
  call MPI_Comm_free(to_next)
  call MPI_Finalize()
end program
