! vouch: run -n 1
! expect: clean
      program freeit
      implicit none
      include 'mpif.h'
      integer ierr
      integer comm
      call MPI_Init(ierr)
      call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
      call MPI_Comm_free(comm, ierr)
      call MPI_Finalize(ierr)
      end
