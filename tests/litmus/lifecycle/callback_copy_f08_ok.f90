! vouch: run -n 2
! expect: clean
! An attribute copy function may communicate (MPI-4.1 7.7).
module callbacks
  use mpi_f08
  implicit none
contains
  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    call MPI_Barrier(comm)
    out = in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end module

program main
  use callbacks
  implicit none
  type(MPI_Comm) :: comm, twin
  integer :: keyval
  integer(MPI_ADDRESS_KIND) :: value = 5, nothing = 0
  call MPI_Init()
  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, nothing)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_set_attr(comm, keyval, value)
  call MPI_Comm_dup(comm, twin)
  call MPI_Comm_free(twin)
  call MPI_Comm_free(comm)
  call MPI_Comm_free_keyval(keyval)
  call MPI_Finalize()
end program
