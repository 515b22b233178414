// A fault after the first call of MPI and before MPI_Init, when vouch has no handler yet.
// vouch: run -n 2
// expect: error crash/signal @a
// exit: any
#include <mpi.h>
#include <signal.h>

int main(int argc, char** argv) {
  int up;
  MPI_Initialized(&up);  // @a
  if (!up) raise(SIGSEGV);
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
