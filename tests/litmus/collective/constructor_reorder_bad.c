// vouch: run -n 2
// expect: error collective/constructor @a
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm cart;
  int dims[1] = {2}, periods[1] = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, rank, &cart);  // @a
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
