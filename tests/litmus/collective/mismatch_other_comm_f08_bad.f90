! vouch: run -n 2
! expect: error collective/mismatch @a
! also: crash
! Each rank is the root of a broadcast on another communicator.
program other_comm
  use mpi_f08
  implicit none
  integer :: rank, value
  type(MPI_Comm) :: rows, columns, mine
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_dup(MPI_COMM_WORLD, rows)
  call MPI_Comm_dup(MPI_COMM_WORLD, columns)
  mine = rows
  if (rank == 1) mine = columns
  value = rank
  call MPI_Bcast(value, 1, MPI_INTEGER, rank, mine)  ! @a
  call MPI_Comm_free(rows)
  call MPI_Comm_free(columns)
  call MPI_Finalize()
end program
