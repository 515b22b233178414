! vouch: run -n 1
! expect: info lifecycle/deprecated @a
      program old
      implicit none
      include 'mpif.h'
      integer ierr
      integer value
      logical flag
      call MPI_Init(ierr)
      call MPI_Attr_get(MPI_COMM_SELF,MPI_TAG_UB,value,flag,ierr) ! @a
      call MPI_Finalize(ierr)
      end
