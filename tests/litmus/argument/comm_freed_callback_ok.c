// vouch: run -n 2
// expect: clean
// The communicator lives until its pending receive is complete (MPI-4.1 7.4.3), and only then a library may call
// the delete function of its attribute, with its handle.
#include <mpi.h>
#include <stddef.h>

static int deleted;
static int forget(MPI_Comm comm, int keyval, void* value, void* state) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  deleted += rank >= 0;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, keyval, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
  MPI_Comm_set_attr(comm, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Request requests[2];
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, comm, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, comm, &requests[1]);
  MPI_Comm_free(&comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return deleted != 1;
}
