! vouch: run -n 2
! expect: error argument/root @a
! also: crash
! One wrong root at three lines is one mistake.
program root_lines
  use mpi_f08
  implicit none
  integer :: root, x, y
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_size(MPI_COMM_WORLD, root)
  x = 1
  call MPI_Bcast(x, 1, MPI_INTEGER, root, MPI_COMM_WORLD)  ! @a
  call MPI_Reduce(x, y, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD)
  call MPI_Bcast(y, 1, MPI_INTEGER, root, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
