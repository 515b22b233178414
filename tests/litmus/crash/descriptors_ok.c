// vouch: run -n 2
// expect: clean
// Closes all descriptors that it does not know shortly before its end, and uses their numbers for
// others, as programs do that become daemons.

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 190; fd < 260; ++fd) dup2(null, fd);
  usleep(700000);
  return 0;
}
