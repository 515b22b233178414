! vouch: run -n 1
! expect: clean
! Trailing blanks of a Fortran string are no part of the key.
program goodinfo
  use mpi_f08
  implicit none
  type(MPI_Info) :: info
  character(len=300) :: value
  logical :: flag
  call MPI_Init()
  call MPI_Info_create(info)
  value = 'yes'
  call MPI_Info_set(info, 'key', value)
  call MPI_Info_get(info, 'key   ', 300, value, flag)
  call MPI_Info_free(info)
  if (.not. flag .or. value /= 'yes') stop 1
  call MPI_Finalize()
end program goodinfo
