// vouch: run -n 2
// expect: clean
// A signal that the program handles is no crash.
#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t seen;
static void handler(int number) { seen = number; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signal(SIGUSR2, handler);
  MPI_Barrier(MPI_COMM_WORLD);
  raise(SIGUSR2);
  MPI_Finalize();
  return 0;
}
