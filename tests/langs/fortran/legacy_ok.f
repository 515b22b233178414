! vouch: run -n 2
! expect: clean
      program legacy
      implicit none
      include 'mpif.h'
      integer rank, other, ierr, got, status(MPI_STATUS_SIZE)
      call mpi_init(ierr)
      call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
      other = 1 - rank
      call mpi_sendrecv(rank, 1, MPI_INTEGER, other, 1,
     &     got, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, status, ierr)
      if (got .ne. other) call mpi_abort(MPI_COMM_WORLD, 1, ierr)
      call mpi_finalize(ierr)
      end
