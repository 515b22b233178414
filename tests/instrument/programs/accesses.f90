! Arrays of the main program, of a module, allocatable ones and pointers: read while a send is pending.
module fields
  implicit none
  double precision :: of_module(1000)
end module fields

program accesses
  use mpi
  use fields
  use iso_c_binding
  implicit none
  double precision, target :: of_main(1000)
  double precision, allocatable, target :: allocated(:)
  double precision, pointer :: pointed(:)
  double precision :: total
  integer :: rank, ierr, i, requests(4), k
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  allocate(allocated(1000), pointed(1000))
  do i = 1, 1000
    of_main(i) = i
    of_module(i) = 2 * i
    allocated(i) = 3 * i
    pointed(i) = 4 * i
  end do
  total = 0
  if (rank == 0) then
    call show('of_main', c_loc(of_main(1)))
    call show_module()
    call show('allocated', c_loc(allocated(1)))
    call show('pointed', c_loc(pointed(1)))
    call mpi_isend(of_main, 1000, mpi_double_precision, 1, 1, mpi_comm_world, requests(1), ierr)
    call mpi_isend(of_module, 1000, mpi_double_precision, 1, 2, mpi_comm_world, requests(2), ierr)
    call mpi_isend(allocated, 1000, mpi_double_precision, 1, 3, mpi_comm_world, requests(3), ierr)
    call mpi_isend(pointed, 1000, mpi_double_precision, 1, 4, mpi_comm_world, requests(4), ierr)
    do i = 1, 500
      total = total + of_main(i) + of_module(i) + allocated(i) + pointed(i)
    end do
    call mpi_waitall(4, requests, mpi_statuses_ignore, ierr)
    do i = 1, 1000
      of_main(i) = 0
      of_module(i) = 0
      allocated(i) = 0
      pointed(i) = 0
    end do
  else if (rank == 1) then
    do k = 1, 4
      call mpi_recv(of_main, 1000, mpi_double_precision, 0, k, mpi_comm_world, mpi_status_ignore, ierr)
      total = total + of_main(1000)
    end do
  end if
  print '(i0, a, es25.17)', rank, ':', total
  call mpi_finalize(ierr)

contains

  subroutine show(name, at)
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: at
    print '(a, a, a, z0)', 'array ', name, ' 0x', transfer(at, 0_c_intptr_t)
  end subroutine show

  subroutine show_module()
    print '(a, z0)', 'array of_module 0x', loc(of_module)
  end subroutine show_module

end program accesses
