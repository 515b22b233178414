// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char* p;
  char packed[64];
  int position = 0;
  MPI_Alloc_mem(16, MPI_INFO_NULL, &p);
  MPI_Pack(p, 16, MPI_CHAR, packed, sizeof packed, &position, MPI_COMM_SELF);
  MPI_Free_mem(p);
  MPI_Finalize();
  return 0;
}
