// Every persistent collective operation with large counts.
// vouch: run -n 3
// requires: large-count
// expect: clean
#include <mpi.h>

#define N 3
#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

// Once: MPICH 4.0.2 itself fails when some of these are started again.
static void run(MPI_Request* request) {
  MPI_Start(request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  MPI_Request_free(request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm = MPI_COMM_WORLD;
  {
    int x = rank == 1 ? 7 : 0;
    MPI_Bcast_init_c(&x, 1, MPI_INT, 1, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(x == 7);
  }
  {
    int all[N] = {0};
    MPI_Gather_init_c(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(rank != 0 || (all[0] == 0 && all[size - 1] == size - 1));
  }
  {
    int all[N];
    for (int i = 0; i < size; ++i) all[i] = 10 * i;
    int mine = -1;
    MPI_Scatter_init_c(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(mine == 10 * rank);
  }
  {
    int all[N] = {0};
    MPI_Allgather_init_c(&rank, 1, MPI_INT, all, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(all[size - 1] == size - 1);
  }
  {
    int out[N], in[N];
    for (int i = 0; i < size; ++i) out[i] = 10 * rank + i;
    MPI_Alltoall_init_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in[size - 1] == 10 * (size - 1) + rank);
  }
  {
    int out[N], in[N * N] = {0};
    MPI_Count counts[N];
    MPI_Aint places[N];
    for (int i = 0; i < size; ++i) {
      counts[i] = i + 1;
      places[i] = i * N;
      out[i] = 100 * rank + i;
    }
    MPI_Gatherv_init_c(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 0, comm, MPI_INFO_NULL,
                       &request);
    run(&request);
    CHECK(rank != 0 || in[(size - 1) * N + size - 1] == 101 * (size - 1));
  }
  {
    int out[N * N], in[N] = {0};
    MPI_Count counts[N];
    MPI_Aint places[N];
    for (int i = 0; i < size; ++i) {
      counts[i] = i + 1;
      places[i] = i * N;
    }
    for (int i = 0; i < N * N; ++i) out[i] = i;
    MPI_Scatterv_init_c(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, 0, comm, MPI_INFO_NULL,
                        &request);
    run(&request);
    CHECK(in[rank] == rank * N + rank);
  }
  {
    int out[N], in[N * N] = {0};
    MPI_Count counts[N];
    MPI_Aint places[N];
    for (int i = 0; i < size; ++i) {
      counts[i] = i + 1;
      places[i] = i * N;
      out[i] = 100 * rank + i;
    }
    MPI_Allgatherv_init_c(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm, MPI_INFO_NULL,
                          &request);
    run(&request);
    CHECK(in[(size - 1) * N + size - 1] == 101 * (size - 1));
  }
  {
    int out[N * N], in[N * N] = {0};
    MPI_Count counts[N], mine[N];
    MPI_Aint places[N], own[N];
    for (int i = 0; i < size; ++i) {
      counts[i] = i + 1;
      places[i] = i * N;
      mine[i] = rank + 1;
      own[i] = i * N;
    }
    for (int i = 0; i < N * N; ++i) out[i] = 100 * rank + i;
    MPI_Alltoallv_init_c(out, counts, places, MPI_INT, in, mine, own, MPI_INT, comm, MPI_INFO_NULL,
                         &request);
    run(&request);
    CHECK(in[(size - 1) * N] == 100 * (size - 1) + rank * N);
  }
  {
    int out[N * N], in[N * N] = {0};
    MPI_Datatype types[N];
    MPI_Count counts[N], mine[N];
    MPI_Aint places[N], own[N];
    for (int i = 0; i < size; ++i) {
      counts[i] = i + 1;
      places[i] = i * N * (int)sizeof(int);
      mine[i] = rank + 1;
      own[i] = i * N * (int)sizeof(int);
      types[i] = MPI_INT;
    }
    for (int i = 0; i < N * N; ++i) out[i] = 100 * rank + i;
    MPI_Alltoallw_init_c(out, counts, places, types, in, mine, own, types, comm, MPI_INFO_NULL,
                         &request);
    run(&request);
    CHECK(in[(size - 1) * N] == 100 * (size - 1) + rank * N);
  }
  {
    int sum = -1;
    MPI_Reduce_init_c(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(rank != 1 || sum == size * (size - 1) / 2);
  }
  {
    int most = -1;
    MPI_Allreduce_init_c(&rank, &most, 1, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(most == size - 1);
  }
  {
    int out[N], in = -1;
    MPI_Count counts[N];
    for (int i = 0; i < size; ++i) {
      out[i] = i;
      counts[i] = 1;
    }
    MPI_Reduce_scatter_init_c(out, &in, counts, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in == rank * size);
  }
  {
    int out[N], in = -1;
    for (int i = 0; i < size; ++i) out[i] = i;
    MPI_Reduce_scatter_block_init_c(out, &in, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(in == rank * size);
  }
  {
    int sum = -1;
    MPI_Scan_init_c(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(sum == rank * (rank + 1) / 2);
  }
  {
    int sum = -1;
    MPI_Exscan_init_c(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    run(&request);
    CHECK(rank == 0 || sum == rank * (rank - 1) / 2);
  }
  MPI_Finalize();
  return 0;
}
