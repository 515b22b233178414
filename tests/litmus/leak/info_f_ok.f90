! vouch: run -n 1
! expect: clean
program leaking
  implicit none
  include 'mpif.h'
  integer ierr
  integer info
  call MPI_Init(ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'key', 'value', ierr)
  call MPI_Info_free(info, ierr)
  call MPI_Finalize(ierr)
end program leaking
