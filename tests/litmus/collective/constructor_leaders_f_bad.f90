! vouch: run -n 4
! expect: error collective/constructor @a
! The leaders do not use one tag.
program leaders
  implicit none
  include 'mpif.h'
  integer :: rank, half, inter, other, tag, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, half, ierr)
  other = 2 - 2 * (rank / 2)
  tag = 5 + rank / 2
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, tag, inter, ierr)  ! @a
  call MPI_Comm_free(inter, ierr)
  call MPI_Comm_free(half, ierr)
  call MPI_Finalize(ierr)
end program
