! vouch: run -n 2
! expect: warning leak/communicator @a
      program leak
      implicit none
      include 'mpif.h'
      integer ierr
      integer comm
      call MPI_Init(ierr)
      call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr) ! @a
      call MPI_Finalize(ierr)
      end
