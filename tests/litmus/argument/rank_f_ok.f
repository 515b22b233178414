! vouch: run -n 2
! expect: clean
      program goodrank
      implicit none
      include 'mpif.h'
      integer ierr
      integer x
      call MPI_Init(ierr)
      x = 1
      call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 7,
     & MPI_COMM_WORLD, ierr)
      call MPI_Finalize(ierr)
      end
