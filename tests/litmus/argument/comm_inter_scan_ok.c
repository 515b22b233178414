// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm inter, merged;
  int in = 1, out, remote;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);
  MPI_Comm_remote_size(inter, &remote);
  MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, inter);
  MPI_Barrier(inter);
  MPI_Intercomm_merge(inter, rank, &merged);
  MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
