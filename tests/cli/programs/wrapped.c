// All calls are made by a wrapper, as in real codes: the line of the call says nothing.

#include <mpi.h>

static volatile int sink;

__attribute__((noinline)) static void put(int to) {
  int x = 0;
  MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);  // @send
  sink += x;
}

__attribute__((noinline)) static void first_phase(void) {
  put(98);  // @first
  sink++;
}

__attribute__((noinline)) static void second_phase(int n) {
  char room[n];  // a frame whose size is not constant
  room[n - 1] = 1;
  put(99);  // @second
  sink += room[n - 1];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) first_phase();  // @loop
  for (int i = 1; i < 4; ++i) second_phase(100 * i);  // @last
  MPI_Finalize();
  return 0;
}
