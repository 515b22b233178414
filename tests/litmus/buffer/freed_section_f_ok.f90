! vouch: run --check-buffers -n 1
! expect: clean
program section
  implicit none
  include 'mpif.h'
  integer ierr, request
  double precision a(200), b(100)
  call MPI_Init(ierr)
  a = 1
  call post(a(1:100))
  call MPI_Recv(b, 100, MPI_DOUBLE_PRECISION, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine post(x)
    double precision x(100)
    call MPI_Isend(x, 100, MPI_DOUBLE_PRECISION, 0, 7, MPI_COMM_SELF, request, ierr)
  end subroutine post
end program section
