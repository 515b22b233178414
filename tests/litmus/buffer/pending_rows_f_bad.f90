! vouch: run -n 2
! expect: error buffer/pending-overlap @a
! A row of a Fortran array is strided; the column crosses it.
program crossing
  implicit none
  include 'mpif.h'
  integer ierr, rank, row, a(6,6), requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Type_vector(6, 1, 6, MPI_INTEGER, row, ierr)
  call MPI_Type_commit(row, ierr)
  call MPI_Irecv(a(2,1), 1, row, 1 - rank, 7, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(a(1,3), 6, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, requests(2), ierr)  ! @a
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Type_free(row, ierr)
  call MPI_Finalize(ierr)
end program crossing
