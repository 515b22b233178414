! vouch: run -n 1
! expect: error argument/free-predefined @a
! also: crash
! Types made by precision are predefined. MPICH frees it all the same and stumbles in MPI_Finalize.
program free_f90
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: kind
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Type_create_f90_real(15, 307, kind)
  call MPI_Type_free(kind)  ! @a
  call MPI_Finalize()
end program free_f90
