// Every persistent neighbourhood collective, as the extension that Open MPI 4 has.
// vouch: run -n 3
// requires: openmpi
// expect: clean
#include <mpi.h>

#include <mpi-ext.h>

#define N 3
#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

// Twice, as what is made to be used again.
static void run(MPI_Request* request) {
  for (int i = 0; i < 2; ++i) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm;
  const int dims[] = {size}, periods[] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  {
    int in[2] = {-1, -1};
    MPIX_Neighbor_allgather_init(&rank, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[0] == left && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const int counts[] = {1, 1};
    const int places[] = {0, 1};
    MPIX_Neighbor_allgatherv_init(&rank, 1, MPI_INT, in, counts, places, MPI_INT, comm,
                                  MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[0] == left && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    MPIX_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const int counts[] = {1, 1};
    const int places[] = {0, 1};
    MPIX_Neighbor_alltoallv_init(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm,
                                 MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const int counts[] = {1, 1};
    const MPI_Aint places[] = {0, sizeof(int)};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPIX_Neighbor_alltoallw_init(out, counts, places, types, in, counts, places, types, comm,
                                 MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
