! vouch: run -n 1
! expect: error lifecycle/init-twice @a
! also: crash
      program twice
      implicit none
      include 'mpif.h'
      integer ierr
      call MPI_Init(ierr)
      call MPI_Init(ierr) ! @a
      call MPI_Finalize(ierr)
      end
