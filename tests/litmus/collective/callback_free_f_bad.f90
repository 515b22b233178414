! vouch: run -n 3
! expect: error collective/mismatch @a
! requires: mpich
! (Open MPI 4.1 calls a Fortran delete function with a communicator that it refuses itself.)
! also: crash
! Rank 1 has not set the attribute, so only the others call the barrier of its delete function.
program callback
  use mpi
  implicit none
  interface
    subroutine drop(comm, key, value, state, ierr)
      use mpi, only: MPI_ADDRESS_KIND
      integer :: comm, key, ierr
      integer(kind=MPI_ADDRESS_KIND) :: value, state
    end subroutine drop
  end interface
  integer :: rank, key, twin, one, ierr
  integer(kind=MPI_ADDRESS_KIND) :: value
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 1
  one = 1
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, key, value, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
  if (rank /= 1) call MPI_Comm_set_attr(twin, key, value, ierr)
  call MPI_Comm_free(twin, ierr)
  call MPI_Bcast(one, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Comm_free_keyval(key, ierr)
  call MPI_Finalize(ierr)
end program callback

subroutine drop(comm, key, value, state, ierr)
  use mpi
  implicit none
  integer :: comm, key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: value, state
  call MPI_Barrier(comm, ierr)  ! @a
end subroutine drop
