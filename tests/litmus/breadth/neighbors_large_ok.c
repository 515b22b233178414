// Every neighbourhood collective with large counts.
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
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm;
  const int dims[] = {size}, periods[] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  {
    int in[2] = {-1, -1};
    MPI_Neighbor_allgather_c(&rank, 1, MPI_INT, in, 1, MPI_INT, comm);
    CHECK(in[0] == left && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const MPI_Count counts[] = {1, 1};
    const MPI_Aint places[] = {0, 1};
    MPI_Neighbor_allgatherv_c(&rank, 1, MPI_INT, in, counts, places, MPI_INT, comm);
    CHECK(in[0] == left && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    MPI_Neighbor_alltoall_c(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const MPI_Count counts[] = {1, 1};
    const MPI_Aint places[] = {0, 1};
    MPI_Neighbor_alltoallv_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  {
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1};
    const MPI_Count counts[] = {1, 1};
    const MPI_Aint places[] = {0, sizeof(int)};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Neighbor_alltoallw_c(out, counts, places, types, in, counts, places, types, comm);
    CHECK(in[0] == left + 10 && in[1] == right);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
