! vouch: run -n 2
! expect: error unmatched/send @a
      program p
      implicit none
      include 'mpif.h'
      integer rank, ierr
      integer x
      call MPI_INIT(ierr)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,
     &  MPI_ERRORS_RETURN, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_SSEND(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
        call MPI_SEND(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)    ! @a
      else
        call MPI_RECV(x, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD,
     &  MPI_STATUS_IGNORE, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
