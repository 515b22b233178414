! vouch: run -n 2
! expect: clean
! The requests are completed through a copy of their array.
program waitany_copy_f08
  use mpi_f08
  implicit none
  integer :: rank, i, done
  integer, asynchronous :: out(3), in(3)
  type(MPI_Request) :: made(3), copy(3)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  out = rank
  do i = 1, 3
    call MPI_Isend(out(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, made(i))
  end do
  do i = 1, 3
    call MPI_Recv(in(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  copy = made
  do i = 1, 3
    call MPI_Waitany(3, copy, done, MPI_STATUS_IGNORE)
  end do
  call MPI_Finalize()
end program waitany_copy_f08
