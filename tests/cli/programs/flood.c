// More messages, or requests, than a program should have at once.
//
//   flood buffered COUNT SIGN   rank 1 sends COUNT messages by MPI_Bsend before rank 0 receives any
//   flood standard COUNT SIGN   the same by MPI_Send: only the library's buffers let it go on
//   flood lost COUNT SIGN       as buffered, but nobody receives them
//   flood requests COUNT SIGN   rank 0 has COUNT receives pending, rank 1 sends to all of them
//
// When all messages are sent, or all receives are posted, rank 1 or 0 makes the file SIGN and goes
// on once it is gone.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kTags = 8, kGo = 99 };

static void wait_for_sign(const char* sign) {
  fclose(fopen(sign, "w"));
  while (access(sign, F_OK) == 0) usleep(1000);
}

static void send_all(int count, int buffered, const char* sign) {
  int x = 0, size = 0;
  void* memory = NULL;
  if (buffered) {
    const size_t bytes = (size_t)count * (sizeof x + MPI_BSEND_OVERHEAD);
    size = bytes > 2147483647 ? 2147483647 : (int)bytes;
    memory = malloc((size_t)size);
    MPI_Buffer_attach(memory, size);
  }
  for (int i = 0; i < count; ++i) {
    if (buffered)
      MPI_Bsend(&x, 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD);
    else
      MPI_Send(&x, 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD);
  }
  wait_for_sign(sign);
  MPI_Send(&x, 1, MPI_INT, 0, kGo, MPI_COMM_WORLD);
  if (buffered) MPI_Buffer_detach(&memory, &size);
  free(memory);
}

static void receive_all(int count) {
  int x = 0;
  MPI_Recv(&x, 1, MPI_INT, 1, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i)
    MPI_Recv(&x, 1, MPI_INT, 1, i % kTags, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pend(int rank, int count, const char* sign) {
  MPI_Request* requests = malloc((size_t)count * sizeof *requests);
  int* data = calloc((size_t)count, sizeof *data);
  if (rank == 0) {
    for (int i = 0; i < count; ++i)
      MPI_Irecv(&data[i], 1, MPI_INT, 1, i % kTags, MPI_COMM_WORLD, &requests[i]);
    wait_for_sign(sign);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; rank == 1 && i < count; ++i)
    MPI_Send(&data[i], 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD);
  if (rank == 0) MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(data);
  free(requests);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc == 4) {
    const char* mode = argv[1];
    const int count = atoi(argv[2]);
    if (strcmp(mode, "requests") == 0)
      pend(rank, count, argv[3]);
    else if (rank == 1)
      send_all(count, strcmp(mode, "standard") != 0, argv[3]);
    else
      receive_all(strcmp(mode, "lost") == 0 ? 0 : count);
  }
  MPI_Finalize();
  return 0;
}
