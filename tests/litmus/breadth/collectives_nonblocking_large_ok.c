// Every nonblocking collective operation with large counts.
// vouch: run -n 3
// requires: large-count
// expect: clean
#include <mpi.h>

#define N 3
#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm = MPI_COMM_WORLD;
  {
    int x = rank == 1 ? 7 : 0;
    MPI_Ibcast_c(&x, 1, MPI_INT, 1, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(x == 7);
  }
  {
    int all[N] = {0};
    MPI_Igather_c(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(rank != 0 || (all[0] == 0 && all[size - 1] == size - 1));
  }
  {
    int all[N];
    for (int i = 0; i < size; ++i) all[i] = 10 * i;
    int mine = -1;
    MPI_Iscatter_c(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(mine == 10 * rank);
  }
  {
    int all[N] = {0};
    MPI_Iallgather_c(&rank, 1, MPI_INT, all, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(all[size - 1] == size - 1);
  }
  {
    int out[N], in[N];
    for (int i = 0; i < size; ++i) out[i] = 10 * rank + i;
    MPI_Ialltoall_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
    MPI_Igatherv_c(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
    MPI_Iscatterv_c(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
    MPI_Iallgatherv_c(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
    MPI_Ialltoallv_c(out, counts, places, MPI_INT, in, mine, own, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
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
    MPI_Ialltoallw_c(out, counts, places, types, in, mine, own, types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[(size - 1) * N] == 100 * (size - 1) + rank * N);
  }
  {
    int sum = -1;
    MPI_Ireduce_c(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(rank != 1 || sum == size * (size - 1) / 2);
  }
  {
    int most = -1;
    MPI_Iallreduce_c(&rank, &most, 1, MPI_INT, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(most == size - 1);
  }
  {
    int out[N], in = -1;
    MPI_Count counts[N];
    for (int i = 0; i < size; ++i) {
      out[i] = i;
      counts[i] = 1;
    }
    MPI_Ireduce_scatter_c(out, &in, counts, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == rank * size);
  }
  {
    int out[N], in = -1;
    for (int i = 0; i < size; ++i) out[i] = i;
    MPI_Ireduce_scatter_block_c(out, &in, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == rank * size);
  }
  {
    int sum = -1;
    MPI_Iscan_c(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == rank * (rank + 1) / 2);
  }
  {
    int sum = -1;
    MPI_Iexscan_c(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(rank == 0 || sum == rank * (rank - 1) / 2);
  }
  MPI_Finalize();
  return 0;
}
