// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// Two merges in opposite order: the low group begins with one inter-communicator, the high group
// with the other.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int high = rank / 2;
  MPI_Comm half, inter[2], merged[2];
  MPI_Comm_split(MPI_COMM_WORLD, high, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : 2, 3, &inter[0]);
  MPI_Comm_dup(inter[0], &inter[1]);
  for (int i = 0; i < 2; ++i) {
    const int k = high ? 1 - i : i;
    MPI_Intercomm_merge(inter[k], high, &merged[k]);  // @a
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_free(&merged[i]);
    MPI_Comm_free(&inter[i]);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
