! vouch: run -n 2
! expect: clean
! compile: vouch fc
!
! A test has said that the message is there.
program litmus
  use mpi
  implicit none
  integer ierr, rank
  integer, asynchronous :: x(16), y(16)
  integer request
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  flag = .false.
  if (rank == 0) then
    call MPI_Irecv(x, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)
    do while (.not. flag)
      y(1) = x(5)
      call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierr)
    end do
    y(1) = x(1)
  else
    call MPI_Send(x, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program litmus
