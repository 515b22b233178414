// vouch: run -n 2
// expect: clean
// [U42]: any displacement; what lies beyond the border is MPI_PROC_NULL, and a fine peer.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dims = 2, open = 0, source, dest, x = 1, y;
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &open, 0, &cart);
  MPI_Cart_shift(cart, 0, -17, &source, &dest);
  MPI_Sendrecv(&x, 1, MPI_INT, dest, 7, &y, 1, MPI_INT, source, 7, cart, MPI_STATUS_IGNORE);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
