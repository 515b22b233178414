! vouch: run -n 2
! expect: error collective/mismatch @a
! also: crash
! The root goes on alone, and MPI_Comm_free is normally local: the program comes to its end.
program unmatched_free
  use mpi_f08
  implicit none
  integer :: rank, value
  type(MPI_Comm) :: twin
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin)
  value = rank
  request = MPI_REQUEST_NULL
  if (rank == 0) call MPI_Ibcast(value, 1, MPI_INTEGER, 0, twin, request)  ! @a
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Comm_free(twin)
  call MPI_Finalize()
end program
