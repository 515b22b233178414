! vouch: run -n 2
! expect: error type/truncation @a
      program p
      implicit none
      include 'mpif.h'
      integer rank, ierr
      integer x(5), request
      call MPI_INIT(ierr)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,
     &  MPI_ERRORS_RETURN, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_SEND(x, 5, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
      else
        call MPI_IRECV(x,4,MPI_INTEGER,0,7,MPI_COMM_WORLD,request,ierr) ! @a
        call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
