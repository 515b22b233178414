// Prints which of the standard descriptors are open at its start.

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char text[16] = "";
  int length = 0;
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) length += sprintf(text + length, "%s%d", length > 0 ? " " : "", fd);
  }
  MPI_Init(&argc, &argv);
  puts(text);
  MPI_Finalize();
  return 0;
}
