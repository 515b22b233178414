! vouch: run -n 2
! expect: clean
      program p
      implicit none
      include 'mpif.h'
      integer RIGHT
      parameter (RIGHT = 5)
      integer rank, x, y, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      x = rank
      call MPI_SENDRECV(x, 1, MPI_INTEGER, 1 - rank, RIGHT,
     &  y, 1, MPI_INTEGER, 1 - rank, RIGHT, MPI_COMM_WORLD,
     &  MPI_STATUS_IGNORE, ierr)
      call MPI_SENDRECV(y, 1, MPI_INTEGER, 1 - rank, RIGHT,
     &  x, 1, MPI_INTEGER, 1 - rank, RIGHT, MPI_COMM_WORLD,
     &  MPI_STATUS_IGNORE, ierr)
      call MPI_FINALIZE(ierr)
      end
