! vouch: run -n 2
! requires: openmpi
! expect: error rma/epoch-nested @a
! expect: warning leak/window @b
! A lock is never released.
program left
  use mpi_f08
  implicit none
  integer :: rank, x
  integer, target :: memory(1)
  type(MPI_Win) :: window
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 1
  call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)  ! @b
  if (rank == 0) then
    call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window)  ! @a
    call MPI_Put(x, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window)
  end if
  call MPI_Finalize()
end program left
