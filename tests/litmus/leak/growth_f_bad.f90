! vouch: run -n 1
! expect: warning leak/growth @a
program growing
  implicit none
  include 'mpif.h'
  integer ierr
  integer kind, i
  call MPI_Init(ierr)
  do i = 1, 6000
    call MPI_Type_contiguous(2, MPI_REAL, kind, ierr)  ! @a
  end do
  call MPI_Finalize(ierr)
end program growing
