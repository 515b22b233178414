! vouch: run -n 2
! expect: error rma/target-range @a
! Base addresses of type(c_ptr): MPI_Alloc_mem, MPI_Win_allocate_shared, MPI_Win_shared_query.
program litmus
  use mpi
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer ierr, rank, x, shared, over, unit
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp, size
  type(c_ptr) :: base, other, allocated
  integer, pointer :: memory(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  bytes = 64
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, allocated, ierr)
  call c_f_pointer(allocated, memory, [16])
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, over, ierr)
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, shared, ierr)
  call MPI_Win_shared_query(shared, 1 - rank, size, unit, other, ierr)
  disp = 16
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, shared, ierr)
  call MPI_Put(x, 1, MPI_INTEGER, 1 - rank, disp, 1, MPI_INTEGER, shared, ierr)  ! @a
  call MPI_Win_unlock(1 - rank, shared, ierr)
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, over, ierr)
  call MPI_Put(x, 1, MPI_INTEGER, 1 - rank, disp - 1, 1, MPI_INTEGER, over, ierr)
  call MPI_Win_unlock(1 - rank, over, ierr)
  call MPI_Win_free(shared, ierr)
  call MPI_Win_free(over, ierr)
  call MPI_Free_mem(memory, ierr)
  call MPI_Finalize(ierr)
end program litmus
