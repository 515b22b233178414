! vouch: run -n 2
! expect: clean
program goodroot
  use mpi_f08
  implicit none
  integer :: x(2), y(4)
  call MPI_Init()
  x = 1
  call MPI_Gather(x, 2, MPI_INTEGER, y, 2, MPI_INTEGER, 1, MPI_COMM_WORLD)
  call MPI_Finalize()
end program goodroot
