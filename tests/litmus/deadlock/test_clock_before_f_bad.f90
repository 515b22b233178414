! vouch: run -n 2
! expect: error deadlock/livelock @a
! also: crash
! Clocks are read before the loop only.
program clock_before
  implicit none
  include 'mpif.h'
  integer :: rank, x, request, ierr, begin, rate
  real :: seconds
  logical :: done
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr)
  call cpu_time(seconds)
  call system_clock(begin, rate)
  done = .false.
  do while (.not. done)
    call MPI_Test(request, done, MPI_STATUS_IGNORE, ierr)  ! @a
  end do
  print *, seconds, begin, rate
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
