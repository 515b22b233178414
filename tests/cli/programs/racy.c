// Chained races: what comes first decides who works next, and in which way it is asked for. Each
// rank waits a time of its own before it sends, from a seed that differs in every run. Prints a hash
// of all that rank 0 has seen.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 12

static unsigned long hash = 5381;
static void mix(long value) { hash = hash * 33 + (unsigned long)value; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  srand((unsigned)(now.tv_nsec ^ (getpid() << 8)));
  if (rank == 0) {
    int next = 0;
    for (int round = 0; round < ROUNDS; ++round) {
      int value[64], flag, index, count, indices[64];
      MPI_Status status, statuses[64];
      MPI_Request requests[64];
      for (int r = 1; r < size; ++r) MPI_Send(&round, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
      for (int r = 1; r < size; ++r) {
        if (next % 3 == 0) {
          MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        } else if (next % 3 == 1) {
          for (flag = 0; !flag;) {
            MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &status);
            if (!flag) mix(7);  // how often it asked counts
            if (!flag) usleep(20);
          }
          MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, &status);
        } else {
          MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests);
          for (flag = 0; !flag;) {
            MPI_Test(requests, &flag, &status);
            if (!flag) mix(9);
            if (!flag) usleep(20);
          }
        }
        next += status.MPI_SOURCE + value[0];
        mix(status.MPI_SOURCE);
      }
      for (int r = 1; r < size; ++r)
        MPI_Irecv(&value[r - 1], 1, MPI_INT, r, 3, MPI_COMM_WORLD, &requests[r - 1]);
      for (int left = size - 1; left > 0;) {
        if (next % 2 == 0) {
          MPI_Waitany(size - 1, requests, &index, &status);
          count = 1;
          indices[0] = index;
        } else {
          MPI_Waitsome(size - 1, requests, &count, indices, statuses);
        }
        for (int k = 0; k < count; ++k) mix(100 + indices[k]);
        left -= count;
        next += indices[0];
      }
    }
    printf("hash: %lx\n", hash);
  } else {
    for (int round = 0; round < ROUNDS; ++round) {
      int value;
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      usleep((useconds_t)(rand() % 300));
      MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
      usleep((useconds_t)(rand() % 300));
      MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
