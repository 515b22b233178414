! vouch: run -n 1
! expect: clean
      program vec
      implicit none
      include 'mpif.h'
      integer ierr
      integer kind
      call MPI_Init(ierr)
      call MPI_Type_vector(2, 1, -3, MPI_REAL, kind, ierr)
      call MPI_Type_free(kind, ierr)
      call MPI_Finalize(ierr)
      end
