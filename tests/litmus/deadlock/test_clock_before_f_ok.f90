! vouch: run -n 2
! expect: clean
! The loop gives up by what the processor has worked.
program clock_before
  use mpi
  implicit none
  integer :: rank, x, request, ierr
  real :: begin, seconds
  logical :: done
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr)
  call cpu_time(begin)
  seconds = begin
  done = .false.
  do while (.not. done .and. seconds - begin < 4)
    call MPI_Test(request, done, MPI_STATUS_IGNORE, ierr)
    call cpu_time(seconds)
  end do
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program
