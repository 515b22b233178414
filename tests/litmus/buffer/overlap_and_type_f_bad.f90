! vouch: run -n 2
! expect: error buffer/call-overlap @a
! expect: error collective/type @a
! also: crash
! requires: openmpi
program overlap_and_type_f
  implicit none
  include 'mpif.h'
  integer, save :: all(16)
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allgather(all(2), 2 + 2 * rank, MPI_INTEGER, all, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program overlap_and_type_f
