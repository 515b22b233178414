// Closes every descriptor it can find and uses their numbers for others, after MPI_Finalize.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  for (int fd = 3; fd < 300; ++fd) dup2(1, fd);
  return 0;
}
