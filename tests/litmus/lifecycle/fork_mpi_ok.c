// vouch: run -n 2
// expect: clean
// What may be called at any time may be called in a child, too.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  pid_t child = fork();
  if (child == 0) {
    int up, down, version, subversion;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    MPI_Get_version(&version, &subversion);
    MPI_Wtime();
    _exit(up == 0);
  }
  waitpid(child, NULL, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
