! vouch: run -n 4
! expect: error rma/race @a @b
!
! A matrix is spread by columns; each process puts the rows of its columns where they are columns.
! Planted: the result is collected in the epoch in which it is made.
program litmus
  use mpi_f08
  implicit none
  integer, parameter :: ranks = 4, columns = 3, total = ranks * columns, part = total * columns
  integer ierr, rank, t, r, c
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  double precision, save, asynchronous :: from(total, columns), to(total, columns), all(total, total)
  type(MPI_Win) :: win
  type(MPI_Datatype) :: column
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do c = 1, columns
    do r = 1, total
      from(r, c) = 100 * (rank * columns + c) + r
    end do
  end do
  call MPI_Type_vector(columns, 1, total, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  bytes = 8 * part
  call MPI_Win_create(to, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr)
  do t = 0, ranks - 1
    do c = 1, columns
      disp = rank * columns + c - 1
      call MPI_Put(from(t * columns + 1, c), columns, MPI_DOUBLE_PRECISION, t, disp, 1, column, win, ierr)  ! @a
    end do
  end do
  call MPI_Gather(to, part, MPI_DOUBLE_PRECISION, all, part, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)  ! @b
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Type_free(column, ierr)
  call MPI_Finalize(ierr)
end program litmus
