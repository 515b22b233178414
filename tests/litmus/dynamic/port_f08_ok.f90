! vouch: run -n 1
! expect: clean
! requires: openmpi
program ports
  use mpi_f08
  implicit none
  character(len=MPI_MAX_PORT_NAME) :: port
  call MPI_Init()
  call MPI_Open_port(MPI_INFO_NULL, port)
  call MPI_Close_port(port)
  call MPI_Finalize()
end program ports
