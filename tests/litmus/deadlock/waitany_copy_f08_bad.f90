! vouch: run -n 1
! expect: error deadlock/wait-cycle @a
! also: crash
program waitany_copy
  use mpi_f08
  implicit none
  integer :: rank, i, done
  integer, asynchronous :: out(2), in(2)
  type(MPI_Request) :: made(2), copy(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  out = rank
  do i = 1, 2
    call MPI_Issend(out(i), 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, made(i))
  end do
  copy = made
  call MPI_Waitany(2, copy, done, MPI_STATUS_IGNORE)  ! @a
  do i = 1, 2
    call MPI_Recv(in(i), 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  call MPI_Waitany(2, copy, done, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program waitany_copy
