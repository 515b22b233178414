// vouch: run -n 2
// expect: error lifecycle/before-init @a
// The child has a copy of the library's memory, and is no MPI process.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pid_t child = fork();
    if (child == 0) {
      MPI_Comm_size(MPI_COMM_WORLD, &size);  // @a
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
