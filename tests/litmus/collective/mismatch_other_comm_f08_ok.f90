! vouch: run -n 2
! expect: clean
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
  value = rank
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, mine)
  call MPI_Comm_free(rows)
  call MPI_Comm_free(columns)
  call MPI_Finalize()
end program
