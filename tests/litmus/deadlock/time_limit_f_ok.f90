! vouch: run -n 2
! expect: clean
! label: slow
! It gives up by the clock of Fortran.
program main
  use mpi
  implicit none
  integer :: ierr, rank, begin, now, rate
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    flag = .false.
    call system_clock(begin, rate)
    now = begin
    do while (.not. flag .and. now - begin < 12 * rate)
      call MPI_Iprobe(1, 1, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
      call system_clock(now)
    end do
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
