! vouch: run -n 1
! expect: error argument/free-predefined @a
      program freeit
      implicit none
      include 'mpif.h'
      integer ierr
      integer comm
      call MPI_Init(ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD,
     & MPI_ERRORS_RETURN, ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_SELF,
     & MPI_ERRORS_RETURN, ierr)
      comm = MPI_COMM_SELF
      call MPI_Comm_free(comm, ierr) ! @a
      call MPI_Finalize(ierr)
      end
