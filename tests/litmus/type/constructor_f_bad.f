! vouch: run -n 1
! expect: error type/constructor @a
      program vec
      implicit none
      include 'mpif.h'
      integer ierr
      integer kind
      call MPI_Init(ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD,
     & MPI_ERRORS_RETURN, ierr)
      call MPI_Comm_set_errhandler(MPI_COMM_SELF,
     & MPI_ERRORS_RETURN, ierr)
      kind = MPI_DATATYPE_NULL
      call MPI_Type_vector(2, -1, 3, MPI_REAL, kind, ierr) ! @a
      call MPI_Finalize(ierr)
      end
