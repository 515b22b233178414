! vouch: run -n 2
! expect: error argument/tag @a
! One wrong constant, used at four lines: one finding.
      program p
      implicit none
      include 'mpif.h'
      integer WRONG
      parameter (WRONG = -5)
      integer rank, x, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,
     &  MPI_ERRORS_RETURN, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      x = rank
      call MPI_SEND(x, 1, MPI_INTEGER, 1, WRONG, MPI_COMM_WORLD, ierr)  ! @a
      call MPI_SEND(x, 1, MPI_INTEGER, 0, WRONG, MPI_COMM_WORLD, ierr)
      call MPI_SSEND(x, 1, MPI_INTEGER, 1, WRONG, MPI_COMM_WORLD, ierr)
      call MPI_SEND(x, 2, MPI_INTEGER, 1, WRONG, MPI_COMM_WORLD, ierr)
      call MPI_FINALIZE(ierr)
      end
