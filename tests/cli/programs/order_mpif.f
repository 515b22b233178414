C Rank 0 takes two messages of each other rank and prints in which order.
      program order
      implicit none
      include 'mpif.h'
      integer rank, size, i, ierr, val
      integer status(MPI_STATUS_SIZE)
      logical seen
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      if (rank .gt. 0) then
        do i = 1, 2
          call MPI_SEND(rank, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD,
     &                  ierr)
        end do
      else
        write (*, '(a)', advance='no') 'order:'
        do i = 1, 2 * (size - 1)
          seen = .false.
          do while (.not. seen)
            call MPI_IPROBE(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, seen,
     &                      status, ierr)
          end do
          call MPI_RECV(val, 1, MPI_INTEGER, status(MPI_SOURCE), 7,
     &                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
          write (*, '(a,i0)', advance='no') ' ', val
        end do
        write (*, '(a)') ''
      end if
      call MPI_FINALIZE(ierr)
      end
