// Every way a call can be special, in C. Two ranks. What follows a mark is what rank 0 must record for this line, and
// nothing else may be recorded: run_bindings.py.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int copies = 0;

static void add(void* in, void* inout, int* len, MPI_Datatype* type) {
  int size;
  MPI_Type_size(*type, &size);  // @ MPI_Type_size callback=1
  for (int i = 0; i < *len; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static int copy_attribute(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  int rank;
  (void)keyval, (void)extra;
  MPI_Comm_rank(comm, &rank);  // @ MPI_Comm_rank callback=1
  *(void**)out = in;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void* value, void* extra) {
  int size;
  (void)keyval, (void)value, (void)extra;
  MPI_Comm_size(comm, &size);  // @ MPI_Comm_size x2 callback=1
  return MPI_SUCCESS;
}

static void on_error(MPI_Comm* comm, int* code, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*code, &class);  // @ MPI_Error_class callback=1
}

static int query(void* extra, MPI_Status* status) {
  (void)extra;
  MPI_Status_set_elements(status, MPI_INT, 3);  // @ MPI_Status_set_elements callback=1
  MPI_Status_set_cancelled(status, 0);          // @ MPI_Status_set_cancelled callback=1
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void* extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

int main(int argc, char** argv) {
  int rank, size, other, x = 1, y = 0, all[2] = {1, 2}, flag, keyval, index;
  double many[40] = {0};
  MPI_Request requests[40], request;
  MPI_Status status;
  MPI_Comm graph, twin;
  MPI_Op op;
  MPI_Errhandler handler;
  MPI_Datatype type;
  MPI_Aint at;
  MPI_Comm world = MPI_COMM_WORLD;

  MPI_Init(&argc, &argv);      // @ MPI_Init
  MPI_Comm_rank(world, &rank);  // @ MPI_Comm_rank
  MPI_Comm_size(world, &size);  // @ MPI_Comm_size
  other = 1 - rank;

  MPI_Irecv(&y, 1, MPI_INT, other, 1, world, &requests[0]);  // @ MPI_Irecv tag=1 leave
  MPI_Isend(&x, 1, MPI_INT, other, 1, world, &requests[1]);  // @ MPI_Isend count=1 leave
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @ MPI_Waitall array_of_statuses=IGNORE leave statuses=2
  for (int i = 0; i < 20; ++i) {
    MPI_Irecv(&many[i], 1, MPI_DOUBLE, other, i, world, &requests[i]);            // @ MPI_Irecv x20
    MPI_Isend(&many[20 + i], 1, MPI_DOUBLE, other, i, world, &requests[20 + i]);  // @ MPI_Isend x20
  }
  MPI_Waitall(40, requests, MPI_STATUSES_IGNORE);  // @ MPI_Waitall array_of_statuses=IGNORE leave statuses=40
  MPI_Sendrecv(&x, 1, MPI_INT, other, 2, &y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);  // @ MPI_Sendrecv source=ANY_SOURCE recvtag=ANY_TAG status=IGNORE leave bytes=4 from=1
  MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 2, &y, 1, MPI_INT, MPI_PROC_NULL, 3, world, &status);  // @ MPI_Sendrecv dest=PROC_NULL source=PROC_NULL noleave
  MPI_Irecv(&y, 1, MPI_INT, other, 4, world, &request);  // @ MPI_Irecv
  MPI_Send(&x, 1, MPI_INT, other, 4, world);             // @ MPI_Send dest=1
  MPI_Waitany(1, &request, &index, &status);  // @ MPI_Waitany leave index=0

  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_SUM, world);  // @ MPI_Allreduce sendbuf=IN_PLACE
  if (rank == 0) {
    MPI_Gather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, world);  // @ MPI_Gather sendbuf=IN_PLACE sendcount=0 sendtype=0 recvcount=1
  } else {
    MPI_Gather(&x, 1, MPI_INT, NULL, -7, MPI_DATATYPE_NULL, 0, world);
  }
  if (rank == 0) {  // a leaf may pass anything for what only the root gives
    MPI_Gatherv(&x, 1, MPI_INT, (void*)8, (int*)16, (int*)24, MPI_DATATYPE_NULL, 1, world);  // @ MPI_Gatherv recvbuf=INSIGNIFICANT recvcounts=INSIGNIFICANT displs=INSIGNIFICANT recvtype=0 sendcount=1
  } else {
    const int counts[2] = {1, 1}, displs[2] = {0, 1};
    MPI_Gatherv(&x, 1, MPI_INT, all, counts, displs, MPI_INT, 1, world);
  }

  MPI_Get_address(&x, &at);                                             // @ MPI_Get_address
  MPI_Type_create_struct(1, (int[]){1}, &at, (MPI_Datatype[]){MPI_INT}, &type);  // @ MPI_Type_create_struct array_of_blocklengths=[1] leave
  MPI_Type_commit(&type);                                               // @ MPI_Type_commit
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, world);                             // @ MPI_Bcast buffer=0 root=0
  MPI_Type_free(&type);                                                 // @ MPI_Type_free

  MPI_Dist_graph_create_adjacent(world, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);  // @ MPI_Dist_graph_create_adjacent sourceweights=UNWEIGHTED destweights=UNWEIGHTED sources=[1] leave
  MPI_Neighbor_allgather(&x, 1, MPI_INT, all, 1, MPI_INT, graph);  // @ MPI_Neighbor_allgather
  MPI_Comm_free(&graph);                                           // @ MPI_Comm_free

  MPI_Op_create(add, 1, &op);                           // @ MPI_Op_create leave
  MPI_Reduce_local(&x, &y, 1, MPI_INT, op);             // @ MPI_Reduce_local
  MPI_Op_free(&op);                                     // @ MPI_Op_free

  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, NULL);  // @ MPI_Comm_create_keyval leave
  MPI_Comm_set_attr(world, keyval, &x);  // @ MPI_Comm_set_attr
  MPI_Comm_dup(world, &twin);            // @ MPI_Comm_dup leave
  MPI_Comm_free(&twin);                  // @ MPI_Comm_free
  MPI_Comm_delete_attr(world, keyval);   // @ MPI_Comm_delete_attr
  MPI_Comm_free_keyval(&keyval);         // @ MPI_Comm_free_keyval

  MPI_Comm_create_errhandler(on_error, &handler);  // @ MPI_Comm_create_errhandler leave
  MPI_Comm_set_errhandler(world, handler);         // @ MPI_Comm_set_errhandler
  MPI_Send(&x, 1, MPI_INT, 99, 1, world);          // @ MPI_Send dest=99 failed
  MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL);  // @ MPI_Comm_set_errhandler
  MPI_Errhandler_free(&handler);                   // @ MPI_Errhandler_free

  MPI_Grequest_start(query, release, cancel, NULL, &request);  // @ MPI_Grequest_start leave
  MPI_Grequest_complete(request);                              // @ MPI_Grequest_complete
  MPI_Wait(&request, MPI_STATUS_IGNORE);                       // @ MPI_Wait status=IGNORE leave bytes=12

  if (rank == 0) {
    MPI_Barrier(world);  // @ MPI_Barrier
    // Rank 1 sends only after rank 0 has polled in vain and said so.
    for (int i = 0; i < 100; ++i) {
      MPI_Iprobe(1, 9, world, &flag, MPI_STATUS_IGNORE);  // @ MPI_Iprobe
    }
    MPI_Send(&x, 1, MPI_INT, 1, 8, world);  // @ MPI_Send tag=8
    do {
      MPI_Iprobe(MPI_ANY_SOURCE, 9, world, &flag, MPI_STATUS_IGNORE);  // @ MPI_Iprobe x1-2 source=ANY_SOURCE
    } while (!flag);
    MPI_Recv(&y, 1, MPI_INT, 1, 9, world, &status);  // @ MPI_Recv noleave
  } else {
    MPI_Barrier(world);
    MPI_Recv(&y, 1, MPI_INT, 0, 8, world, &status);
    MPI_Send(&x, 1, MPI_INT, 0, 9, world);
  }
  MPI_Finalize();  // @ MPI_Finalize
  if (copies != 1 || y != 1) return 3;
  return 0;
}
