! vouch: run -n 2
! expect: clean
      program p
      implicit none
      include 'mpif.h'
      integer rank, ierr
      integer x, request
      call MPI_INIT(ierr)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,
     &  MPI_ERRORS_RETURN, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_ISEND(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD,
     &  request, ierr)
        call MPI_REQUEST_FREE(request, ierr)
      else
        call MPI_RECV(x, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD,
     &  MPI_STATUS_IGNORE, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
