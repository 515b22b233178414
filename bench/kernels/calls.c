// One rank sends itself 8 bytes, ITERATIONS times: what callgrind counts inside the loop is the cost of the calls.
//
//   calls ITERATIONS
#include <mpi.h>
#include <stdlib.h>

// Found by name in callgrind's --toggle-collect.
__attribute__((noinline)) void counted_loop(int iterations) {
  long out = 1, in;
  for (int i = 0; i < iterations; ++i) {
    MPI_Send(&out, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Recv(&in, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

__attribute__((noinline)) void warm_up(void) {
  long out = 1, in;
  for (int i = 0; i < 100; ++i) {
    MPI_Send(&out, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Recv(&in, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  warm_up();
  counted_loop(argc > 1 ? atoi(argv[1]) : 1000);
  MPI_Finalize();
  return 0;
}
