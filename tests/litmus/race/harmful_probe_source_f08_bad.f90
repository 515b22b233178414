! vouch: run -n 3
! expect: error race/message-harmful @a
! The probe tells of one message, the receive may take the other, longer one.
program probe_source
  use mpi_f08
  implicit none
  integer :: rank, i, n, data(20), unit
  logical :: there
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  data = 0
  if (rank == 0) then
    do i = 1, 2
      call MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status)
      call MPI_Get_count(status, MPI_INTEGER, n)
      call MPI_Recv(data, n, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @a
      open (newunit=unit, file='taken')
      close (unit)
    end do
  else
    ! Nothing of MPI orders the messages; that they do not meet in this run is seen to otherwise.
    there = rank == 1
    do while (.not. there)
      inquire (file='taken', exist=there)
    end do
    call MPI_Send(data, 10 * rank, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program probe_source
