! vouch: run -n 1
! expect: error dynamic/argument @a
! also: crash
program spawning
  use mpi_f08
  implicit none
  type(MPI_Comm) :: children
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_spawn('/bin/true', MPI_ARGV_NULL, -2, MPI_INFO_NULL, 0, MPI_COMM_SELF, children, MPI_ERRCODES_IGNORE)  ! @a
  call MPI_Finalize()
end program spawning
