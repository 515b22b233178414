! Spawning from Fortran, mpif.h. One rank. Marks: run_bindings.py.
program sentinels
  implicit none
  include 'mpif.h'
  integer :: ierr, parent, child
  character(len=1024) :: name
  call MPI_Init(ierr)  ! @ MPI_Init
  call MPI_Comm_get_parent(parent, ierr)  ! @ MPI_Comm_get_parent leave
  if (parent == MPI_COMM_NULL) then
    call get_command_argument(0, name)
    call MPI_Comm_spawn(name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, child, MPI_ERRCODES_IGNORE, ierr)  ! @ MPI_Comm_spawn maxprocs=1 array_of_errcodes=IGNORE leave
    call MPI_Comm_disconnect(child, ierr)  ! @ MPI_Comm_disconnect
  else
    call MPI_Comm_disconnect(parent, ierr)
  end if
  call MPI_Finalize(ierr)  ! @ MPI_Finalize
end program
