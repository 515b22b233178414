! vouch: run -n 1
! expect: clean
      program twice
      implicit none
      include 'mpif.h'
      integer ierr
      logical up
      call MPI_Initialized(up, ierr)
      if (.not. up) call MPI_Init(ierr)
      call MPI_Initialized(up, ierr)
      if (.not. up) call MPI_Init(ierr)
      call MPI_Finalize(ierr)
      end
