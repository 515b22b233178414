! vouch: run -n 1
! expect: warning leak/datatype @a
program leaking
  use mpi
  implicit none
  integer ierr
  integer :: kind
  call MPI_Init(ierr)
  call MPI_Type_vector(2, 1, 2, MPI_REAL, kind, ierr)  ! @a
  call MPI_Type_commit(kind, ierr)
  call MPI_Finalize(ierr)
end program leaking
