! vouch: run -n 2
! expect: error argument/rank @a
      program badrank
      implicit none
      include 'mpif.h'
      integer ierr
      integer size, x
      call MPI_Init(ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD,
     & MPI_ERRORS_RETURN, ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_SELF,
     & MPI_ERRORS_RETURN, ierr)
      call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
      x = 1
      call MPI_Send(x,1,MPI_INTEGER,size,7,MPI_COMM_WORLD,ierr) ! @a
      call MPI_Finalize(ierr)
      end
