! vouch: run -n 2
! expect: clean
program detach_f
  implicit none
  include 'mpif.h'
  character :: room(200000), message(100000)
  integer :: rank, bytes, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  message = 'x'
  call MPI_Buffer_attach(room, 200000, ierr)
  if (rank == 0) then
    call MPI_Bsend(message, 100000, MPI_CHARACTER, 1, 5, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(message, 100000, MPI_CHARACTER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Buffer_detach(room, bytes, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program detach_f
