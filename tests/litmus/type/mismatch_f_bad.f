! vouch: run -n 2
! expect: error type/mismatch @a
      program p
      implicit none
      include 'mpif.h'
      integer rank, ierr
      integer x(4), status(MPI_STATUS_SIZE)
      double precision y(2)
      call MPI_INIT(ierr)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,
     &  MPI_ERRORS_RETURN, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_SEND(x, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
      else
        call MPI_RECV(y,2,MPI_REAL8,0,7,MPI_COMM_WORLD,status,ierr)   ! @a
      end if
      call MPI_FINALIZE(ierr)
      end
