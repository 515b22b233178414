// vouch: run -n 4
// expect: clean
// [U36]
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &inter);

  int value = rank, values[2], sum;
  int root = rank == 0 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 0;
  MPI_Bcast(&value, 1, MPI_INT, root, inter);
  MPI_Gather(&value, 1, MPI_INT, values, 1, MPI_INT, root, inter);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
  MPI_Barrier(inter);
  MPI_Comm all;
  MPI_Intercomm_merge(inter, rank < 2, &all);
  MPI_Barrier(all);
  MPI_Comm_free(&all);

  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
