! vouch: run -n 2
! expect: clean
program root_lines
  use mpi_f08
  implicit none
  integer :: root, x, y
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, root)
  root = root - 1
  x = 1
  y = 0
  call MPI_Bcast(x, 1, MPI_INTEGER, root, MPI_COMM_WORLD)
  call MPI_Reduce(x, y, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD)
  call MPI_Bcast(y, 1, MPI_INTEGER, root, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
