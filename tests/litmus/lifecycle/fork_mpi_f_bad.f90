! vouch: run -n 1
! expect: error lifecycle/before-init @a
program main
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  interface
    integer(c_int) function fork() bind(C)
      import c_int
    end function
    integer(c_int) function wait(status) bind(C)
      import c_int, c_ptr
      type(c_ptr), value :: status
    end function
    subroutine quit(status) bind(C, name='_exit')
      import c_int
      integer(c_int), value :: status
    end subroutine
  end interface
  integer :: ierr, rank
  integer(c_int) :: child
  call MPI_Init(ierr)
  child = fork()
  if (child == 0) then
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)  ! @a
    call quit(0)
  end if
  child = wait(c_null_ptr)
  call MPI_Finalize(ierr)
end program
