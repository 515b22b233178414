! vouch: run -n 1
! expect: error argument/info @a
program badinfo
  use mpi_f08
  implicit none
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Info_set(MPI_INFO_NULL, 'key', 'value')  ! @a
  call MPI_Finalize()
end program badinfo
