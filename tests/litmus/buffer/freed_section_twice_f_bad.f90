! vouch: run --check-buffers -n 2
! expect: error buffer/freed @a
! also: crash
! The copy of the section is freed when the call returns; the next call's copy may lie in the same memory.
program main
  use mpi
  implicit none
  integer :: rank, ierr, requests(2)
  real(8), allocatable :: m(:, :)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate (m(100, 100))
  m = rank
  call MPI_Irecv(m(2, :), 100, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierr)  ! @a
  call MPI_Ssend(m(3, :), 100, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, ierr)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  deallocate (m)
  call MPI_Finalize(ierr)
end program
