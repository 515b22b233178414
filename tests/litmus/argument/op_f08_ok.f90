! vouch: run -n 1
! expect: clean
! A type by precision belongs to the class of reals.
program goodop
  use mpi_f08
  implicit none
  double precision :: x, y
  type(MPI_Datatype) :: kind
  call MPI_Init()
  x = 1
  call MPI_Type_create_f90_real(15, 307, kind)
  call MPI_Allreduce(x, y, 1, kind, MPI_MAX, MPI_COMM_SELF)
  call MPI_Finalize()
end program goodop
