// The address sanitizer finds an error and ends the process by a system call.
// vouch: run -n 2
// expect: error crash/exit @a
// exit: any
// flags: -fsanitize=address
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  char* bytes = malloc(8);
  if (rank == 1) bytes[8 + (argc > 9)] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  free(bytes);
  MPI_Finalize();
  return 0;
}
