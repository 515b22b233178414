! All calls are made by a wrapper: the line of the call says nothing.
module comm
  use mpi
contains
  subroutine put(to)
    integer, intent(in) :: to
    integer :: x, ierror
    x = 0
    call MPI_Send(x, 1, MPI_INTEGER, to, 0, MPI_COMM_WORLD, ierror)  ! @send
    x = x + 1
  end subroutine
  subroutine first_phase()
    call put(98)  ! @first
  end subroutine
end module

program wrapped
  use comm
  integer :: ierror
  call MPI_Init(ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call first_phase()  ! @loop
  call MPI_Finalize(ierror)
end program
