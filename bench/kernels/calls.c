// One rank sends itself 8 bytes, ITERATIONS times: what callgrind counts inside the loop, less the same without vouch, is
// the cost of watching MPI_Send and MPI_Recv. The other half of each message goes past vouch.
//
//   calls ITERATIONS
#include <mpi.h>

#include "own_entry.h"

static int (*own_isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
static int (*own_irecv)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
static int (*own_wait)(MPI_Request*, MPI_Status*);

// Found by its name in callgrind's --toggle-collect.
__attribute__((noinline)) void counted_loop(int iterations) {
  long out = 1, in;
  MPI_Request request;
  for (int i = 0; i < iterations; ++i) {
    own_irecv(&in, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(&out, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    own_wait(&request, MPI_STATUS_IGNORE);
    own_isend(&out, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(&in, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    own_wait(&request, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  *(void**)&own_isend = own_entry("PMPI_Isend");
  *(void**)&own_irecv = own_entry("PMPI_Irecv");
  *(void**)&own_wait = own_entry("PMPI_Wait");
  counted_loop(argc > 1 ? atoi(argv[1]) : 1000);
  MPI_Finalize();
  return 0;
}
