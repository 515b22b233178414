! vouch: run -n 2
! expect: clean
program overlap_and_type_f
  implicit none
  include 'mpif.h'
  integer, save :: mine(4), all(16)
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  mine = rank
  call MPI_Allgather(mine, 2, MPI_INTEGER, all, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program overlap_and_type_f
