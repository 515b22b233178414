! vouch: run -n 3
! expect: error collective/blocking @a
! also: crash
program blocking_f
  use mpi
  implicit none
  integer :: rank
  integer :: request
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 1) then
    call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)  ! @a
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program blocking_f
