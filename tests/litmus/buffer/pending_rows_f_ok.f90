! vouch: run -n 2
! expect: clean
! The rows lie between each other but share no element; the type may be freed meanwhile.
program beside
  implicit none
  include 'mpif.h'
  integer ierr, rank, row, a(6,6), requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Type_vector(6, 1, 6, MPI_INTEGER, row, ierr)
  call MPI_Type_commit(row, ierr)
  call MPI_Irecv(a(2,1), 1, row, 1 - rank, 7, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(a(3,1), 1, row, 1 - rank, 7, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Type_free(row, ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program beside
