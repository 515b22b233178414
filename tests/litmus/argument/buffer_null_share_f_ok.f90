! vouch: run -n 2
! expect: clean
program main
  use mpi
  implicit none
  integer :: ierr, rank, counts(2), input(2), request
  integer, pointer :: output(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  counts = [0, 2]
  input = 1
  if (rank == 1) then
    allocate (output(2))
    call MPI_Ireduce_scatter(input, output, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    deallocate (output)
  else
    nullify (output)
    call MPI_Ireduce_scatter(input, output, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program
