! vouch: run -n 2
! expect: clean
program testall_loop_f
  implicit none
  include 'mpif.h'
  integer :: rank, other, x, y, requests(2), ierr
  logical :: done
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  y = rank
  call MPI_Irecv(x, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(y, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  done = .false.
  do while (.not. done)
    call MPI_Testall(2, requests, done, MPI_STATUSES_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
end program testall_loop_f
