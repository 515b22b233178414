! vouch: run -n 1
! expect: error argument/count @a
      program badcnt
      implicit none
      include 'mpif.h'
      integer ierr
      integer x
      call MPI_Init(ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD,
     & MPI_ERRORS_RETURN, ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_SELF,
     & MPI_ERRORS_RETURN, ierr)
      x = 1
      call MPI_Bcast(x, -5, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! @a
      call MPI_Finalize(ierr)
      end
