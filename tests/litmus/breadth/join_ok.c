// Two processes that share a socket make a communicator of it.
// vouch: run -n 2
// requires: openmpi
// expect: clean
#include <arpa/inet.h>
#include <mpi.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, fd;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(at);
  if (rank == 0) {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr*)&at, length) == 0 && listen(listening, 1) == 0);
    getsockname(listening, (struct sockaddr*)&at, &length);
    MPI_Send(&at.sin_port, 2, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    fd = accept(listening, NULL, NULL);
    close(listening);
  } else {
    MPI_Recv(&at.sin_port, 2, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(fd, (struct sockaddr*)&at, length) == 0);
  }
  MPI_Comm both;
  MPI_Comm_join(fd, &both);
  MPI_Comm_remote_size(both, &size);
  CHECK(size == 1);
  MPI_Comm_disconnect(&both);
  close(fd);
  MPI_Finalize();
  return 0;
}
