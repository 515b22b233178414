// vouch: run -n 2
// expect: clean
// [U42]: ndims 0, nnodes 0, a ring of one, borders.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm cart, graph, ring, line;
  int none = 0, one = 1, yes = 1, no = 0, from, to, x = 1, y[2];
  MPI_Cart_create(MPI_COMM_WORLD, 0, &none, &none, 0, &cart);
  if (cart != MPI_COMM_NULL) MPI_Comm_free(&cart);
  MPI_Graph_create(MPI_COMM_WORLD, 0, &none, &none, 0, &graph);
  if (graph != MPI_COMM_NULL) MPI_Comm_free(&graph);
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &yes, 0, &ring);
  MPI_Cart_shift(ring, 0, 1, &from, &to);
  MPI_Sendrecv(&x, 1, MPI_INT, to, 0, y, 1, MPI_INT, from, 0, ring, MPI_STATUS_IGNORE);
  MPI_Comm_free(&ring);
  int two = 2;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &no, 0, &line);
  MPI_Cart_shift(line, 0, 1, &from, &to);
  MPI_Sendrecv(&x, 1, MPI_INT, to, 0, y, 1, MPI_INT, from, 0, line, MPI_STATUS_IGNORE);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, line);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
