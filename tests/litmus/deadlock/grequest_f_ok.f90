! vouch: run -n 2
! expect: clean
subroutine query(state, status, ierror)
  use mpi
  integer(MPI_ADDRESS_KIND) :: state
  integer :: status(MPI_STATUS_SIZE), ierror
  call MPI_Status_set_elements(status, MPI_INTEGER, 0, ierror)
  call MPI_Status_set_cancelled(status, .false., ierror)
  status(MPI_SOURCE) = MPI_UNDEFINED
  status(MPI_TAG) = MPI_UNDEFINED
  ierror = MPI_SUCCESS
end subroutine

subroutine release(state, ierror)
  use mpi
  integer(MPI_ADDRESS_KIND) :: state
  integer :: ierror
  ierror = MPI_SUCCESS
end subroutine

subroutine cancel(state, complete, ierror)
  use mpi
  integer(MPI_ADDRESS_KIND) :: state
  logical :: complete
  integer :: ierror
  ierror = MPI_SUCCESS
end subroutine

program generalized
  use mpi
  implicit none
  external :: query, release, cancel
  integer :: requests(1), ierror
  call MPI_Init(ierror)
  call MPI_Grequest_start(query, release, cancel, 0_MPI_ADDRESS_KIND, requests(1), ierror)
  call MPI_Grequest_complete(requests(1), ierror)
  call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, ierror)
  call MPI_Finalize(ierror)
end program
