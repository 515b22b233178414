! vouch: run -n 2
! expect: warning request/free @a
! expect: error request/handle @b
! also: crash
! The warning about the free must not hide that the copy of the handle is used afterwards.
program stale
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous, save :: x = 1, y
  type(MPI_Request) :: request, copy
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Irecv(y, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request)
    copy = request
    call MPI_Request_free(request)  ! @a
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Cancel(copy)  ! @b
  else
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program stale
