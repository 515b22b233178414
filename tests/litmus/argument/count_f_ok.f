! vouch: run -n 1
! expect: clean
      program okcnt
      implicit none
      include 'mpif.h'
      integer ierr
      integer x
      call MPI_Init(ierr)
      x = 1
      call MPI_Bcast(x, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call MPI_Finalize(ierr)
      end
