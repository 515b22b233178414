! vouch: run -n 1
! expect: clean
program leaking
  use mpi_f08
  implicit none
  type(MPI_Errhandler) :: handler
  call MPI_Init()
  call MPI_Comm_create_errhandler(handle, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Finalize()
contains
  subroutine handle(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
  end subroutine handle
end program leaking
