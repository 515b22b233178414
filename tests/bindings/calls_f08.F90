! The same for `use mpi_f08`. Marks: run_bindings.py.

module callbacks
  use mpi_f08
  implicit none
  integer :: copies = 0
contains
  subroutine add(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding, only : c_ptr, c_f_pointer
    type(c_ptr), value :: invec, inoutvec
    integer :: len, size, ierr
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, (/ len /))
    call c_f_pointer(inoutvec, inout, (/ len /))
    call MPI_Type_size(datatype, size, ierr)  ! @ MPI_Type_size callback=1
    inout = inout + in
  end subroutine

  subroutine copy_attribute(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror, rank
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    call MPI_Comm_rank(oldcomm, rank)  ! @ MPI_Comm_rank callback=1
    attribute_val_out = attribute_val_in
    flag = .true.
    copies = copies + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_attribute(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror, size
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    call MPI_Comm_size(MPI_COMM_WORLD, size)  ! @ MPI_Comm_size x2 callback=1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code, class
    call MPI_Error_class(error_code, class)  ! @ MPI_Error_class callback=1
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)  ! @ MPI_Status_set_elements callback=1
    call MPI_Status_set_cancelled(status, .false.)        ! @ MPI_Status_set_cancelled callback=1
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = MPI_UNDEFINED
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program calls
  use callbacks
  implicit none
  integer :: rank, size, other, ierr, i, keyval, index, list(1), lengths(1), counts(2), displs(2)
  type(MPI_Comm) :: world, graph, twin
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  type(MPI_Datatype) :: type, types(1)
  type(MPI_Request) :: requests(40), request, one(1)
  type(MPI_Status) :: status
  integer, asynchronous, target :: x, y, all(2)
  double precision, asynchronous :: many(40)
  integer(kind=MPI_ADDRESS_KIND) :: at, places(1), extra, value
  logical :: flag

  x = 1
  y = 0
  all = 1
  many = 0
  world = MPI_COMM_WORLD
  call MPI_Init(ierr)  ! @ MPI_Init
  call MPI_Comm_rank(world, rank, ierr)  ! @ MPI_Comm_rank
  call MPI_Comm_size(world, size, ierr)  ! @ MPI_Comm_size
  other = 1 - rank

  call MPI_Irecv(y, 1, MPI_INTEGER, other, 1, world, requests(1), ierr)  ! @ MPI_Irecv tag=1 leave
  call MPI_Isend(x, 1, MPI_INTEGER, other, 1, world, requests(2), ierr)  ! @ MPI_Isend count=1 leave
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)  ! @ MPI_Waitall array_of_statuses=IGNORE leave statuses=2
  do i = 1, 20
    call MPI_Irecv(many(i), 1, MPI_DOUBLE_PRECISION, other, i, world, requests(i), ierr)  ! @ MPI_Irecv x20
    call MPI_Isend(many(20 + i), 1, MPI_DOUBLE_PRECISION, other, i, world, requests(20 + i), ierr)  ! @ MPI_Isend x20
  end do
  call MPI_Waitall(40, requests, MPI_STATUSES_IGNORE, ierr)  ! @ MPI_Waitall array_of_statuses=IGNORE leave statuses=40
  call MPI_Sendrecv(x, 1, MPI_INTEGER, other, 2, y, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE, ierr)  ! @ MPI_Sendrecv source=ANY_SOURCE recvtag=ANY_TAG status=IGNORE leave bytes=4 from=1
  call MPI_Sendrecv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 2, y, 1, MPI_INTEGER, MPI_PROC_NULL, 3, world, status, ierr)  ! @ MPI_Sendrecv dest=PROC_NULL source=PROC_NULL noleave
  call MPI_Irecv(y, 1, MPI_INTEGER, other, 4, world, request, ierr)  ! @ MPI_Irecv
  call MPI_Send(x, 1, MPI_INTEGER, other, 4, world, ierr)  ! @ MPI_Send dest=1
  one(1) = request
  call MPI_Waitany(1, one, index, status, ierr)  ! @ MPI_Waitany leave index=0

  call MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INTEGER, MPI_SUM, world, ierr)  ! @ MPI_Allreduce sendbuf=IN_PLACE
  counts = 1
  displs = (/ 0, 1 /)
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, 0, world, ierr)  ! @ MPI_Gather sendbuf=IN_PLACE sendcount=0 sendtype=0 recvcount=1
    call MPI_Gatherv(x, 1, MPI_INTEGER, all, counts, displs, MPI_DATATYPE_NULL, 1, world, ierr)  ! @ MPI_Gatherv recvbuf=INSIGNIFICANT recvcounts=INSIGNIFICANT displs=INSIGNIFICANT recvtype=0 sendcount=1
  else
    call MPI_Gather(x, 1, MPI_INTEGER, all, -7, MPI_DATATYPE_NULL, 0, world, ierr)
    call MPI_Gatherv(x, 1, MPI_INTEGER, all, counts, displs, MPI_INTEGER, 1, world, ierr)
  end if

  call MPI_Get_address(x, at, ierr)  ! @ MPI_Get_address
  lengths = 1
  places = at
  types(1) = MPI_INTEGER
  call MPI_Type_create_struct(1, lengths, places, types, type, ierr)  ! @ MPI_Type_create_struct array_of_blocklengths=[1] leave
  call MPI_Type_commit(type, ierr)  ! @ MPI_Type_commit
  call MPI_Bcast(MPI_BOTTOM, 1, type, 0, world, ierr)  ! @ MPI_Bcast buffer=0 root=0
  call MPI_Type_free(type, ierr)  ! @ MPI_Type_free

  list = other
  call MPI_Dist_graph_create_adjacent(world, 1, list, MPI_UNWEIGHTED, 1, list, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr)  ! @ MPI_Dist_graph_create_adjacent sourceweights=UNWEIGHTED destweights=UNWEIGHTED sources=[1] leave
  call MPI_Neighbor_allgather(x, 1, MPI_INTEGER, all, 1, MPI_INTEGER, graph, ierr)  ! @ MPI_Neighbor_allgather
  call MPI_Comm_free(graph, ierr)  ! @ MPI_Comm_free

  call MPI_Op_create(add, .true., op, ierr)  ! @ MPI_Op_create leave
  call MPI_Reduce_local(x, y, 1, MPI_INTEGER, op, ierr)  ! @ MPI_Reduce_local
  call MPI_Op_free(op, ierr)  ! @ MPI_Op_free

  extra = 0
  value = 5
  call MPI_Comm_create_keyval(copy_attribute, delete_attribute, keyval, extra, ierr)  ! @ MPI_Comm_create_keyval leave
  call MPI_Comm_set_attr(world, keyval, value, ierr)  ! @ MPI_Comm_set_attr
  call MPI_Comm_get_attr(world, keyval, value, flag, ierr)  ! @ MPI_Comm_get_attr
  call MPI_Comm_dup(world, twin, ierr)  ! @ MPI_Comm_dup leave
  call MPI_Comm_free(twin, ierr)  ! @ MPI_Comm_free
  call MPI_Comm_delete_attr(world, keyval, ierr)  ! @ MPI_Comm_delete_attr
  call MPI_Comm_free_keyval(keyval, ierr)  ! @ MPI_Comm_free_keyval

  call MPI_Comm_create_errhandler(on_error, handler, ierr)  ! @ MPI_Comm_create_errhandler leave
  call MPI_Comm_set_errhandler(world, handler, ierr)  ! @ MPI_Comm_set_errhandler
  call MPI_Send(x, 1, MPI_INTEGER, 99, 1, world, ierr)  ! @ MPI_Send dest=99 failed
  call MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL, ierr)  ! @ MPI_Comm_set_errhandler
  call MPI_Errhandler_free(handler, ierr)  ! @ MPI_Errhandler_free

  call MPI_Grequest_start(query, release, cancel, extra, request, ierr)  ! @ MPI_Grequest_start leave
  call MPI_Grequest_complete(request, ierr)  ! @ MPI_Grequest_complete
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)  ! @ MPI_Wait status=IGNORE leave bytes=12

  if (rank == 0) then
    call MPI_Barrier(world, ierr)  ! @ MPI_Barrier
    do i = 1, 100
      call MPI_Iprobe(1, 9, world, flag, MPI_STATUS_IGNORE, ierr)  ! @ MPI_Iprobe
    end do
    call MPI_Send(x, 1, MPI_INTEGER, 1, 8, world, ierr)  ! @ MPI_Send tag=8
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, 9, world, flag, MPI_STATUS_IGNORE, ierr)  ! @ MPI_Iprobe x1-2 source=ANY_SOURCE
    end do
    call MPI_Recv(y, 1, MPI_INTEGER, 1, 9, world, status, ierr)  ! @ MPI_Recv noleave
  else
    call MPI_Barrier(world, ierr)
    call MPI_Recv(y, 1, MPI_INTEGER, 0, 8, world, status, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 9, world, ierr)
  end if
  call MPI_Finalize(ierr)  ! @ MPI_Finalize
  if (copies /= 1 .or. y /= 1) stop 3
end program
