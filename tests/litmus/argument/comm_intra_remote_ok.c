// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size, flag;
  MPI_Comm inter;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);
  MPI_Comm_test_inter(inter, &flag);
  if (flag) MPI_Comm_remote_size(inter, &size);
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
