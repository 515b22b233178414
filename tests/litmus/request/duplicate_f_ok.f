! vouch: run -n 1
! expect: clean
      program dup
      implicit none
      include 'mpif.h'
      integer ierr
      integer x, y, r(2), s(MPI_STATUS_SIZE,2)
      call MPI_Init(ierr)
      x = 1
      call MPI_Irecv(y,1,MPI_INTEGER,0,7,MPI_COMM_SELF,r(1),ierr)
      r(2) = MPI_REQUEST_NULL
      call MPI_Send(x,1,MPI_INTEGER,0,7,MPI_COMM_SELF,ierr)
      call MPI_Waitall(2, r, s, ierr)
      call MPI_Finalize(ierr)
      end
