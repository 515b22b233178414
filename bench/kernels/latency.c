// Time of an 8-byte ping-pong, of a ring with a barrier, and of an exchange with the neighbours, through vouch and past
// it, in turns in one run.
//
// Under vouch the name MPI_Send leads to its wrapper; the library's own entry is found in the library itself. Both are
// called through a pointer from the same line, so the rounds differ in nothing else. Before each round everybody rests
// until the agent has read what the last one left.
//
//   latency MODE ROUNDS ITERATIONS REST_MS      MODE: pingpong | ring | stress
// Rank 0 prints for each round: nanoseconds per message past vouch, and through it.
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "own_entry.h"

typedef struct {
  int (*send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
  int (*recv)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
  int (*barrier)(MPI_Comm);
  int (*isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int (*wait)(MPI_Request*, MPI_Status*);
} Entries;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static double pingpong(const Entries* mpi, int rank, int iterations) {
  long data = 0;
  mpi->barrier(MPI_COMM_WORLD);
  const double start = now();
  for (int i = 0; i < iterations; ++i) {
    if (rank == 0) {
      mpi->send(&data, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      mpi->recv(&data, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      mpi->recv(&data, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      mpi->send(&data, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  return (now() - start) / (2.0 * iterations);
}

static double ring(const Entries* mpi, int rank, int size, int iterations) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  long data = 0;
  mpi->barrier(MPI_COMM_WORLD);
  const double start = now();
  for (int i = 0; i < iterations; ++i) {
    if (rank == 0) {
      mpi->send(&data, 8, MPI_BYTE, next, 0, MPI_COMM_WORLD);
      mpi->recv(&data, 8, MPI_BYTE, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      mpi->recv(&data, 8, MPI_BYTE, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      mpi->send(&data, 8, MPI_BYTE, next, 0, MPI_COMM_WORLD);
    }
    mpi->barrier(MPI_COMM_WORLD);
  }
  return (now() - start) / iterations;
}

// One int to the right, one from the left, a barrier each tenth time: the stress test of the MUST paper, with MPI_Isend,
// since a ring of blocking sends may deadlock.
static double stress(const Entries* mpi, int rank, int size, int iterations) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int out = rank, in = 0;
  mpi->barrier(MPI_COMM_WORLD);
  const double start = now();
  for (int i = 0; i < iterations; ++i) {
    MPI_Request sent;
    mpi->isend(&out, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &sent);
    mpi->recv(&in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mpi->wait(&sent, MPI_STATUS_IGNORE);
    if (i % 10 == 9) mpi->barrier(MPI_COMM_WORLD);
  }
  return (now() - start) / iterations;
}

static void rest(int milliseconds) {
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 5 || size < 2) {
    fprintf(stderr, "usage: latency pingpong|ring|stress ROUNDS ITERATIONS REST_MS, on 2 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const int rounds = atoi(argv[2]), iterations = atoi(argv[3]), pause = atoi(argv[4]);
  Entries through = {MPI_Send, MPI_Recv, MPI_Barrier, MPI_Isend, MPI_Wait};
  Entries past;
  *(void**)&past.send = own_entry("PMPI_Send");
  *(void**)&past.recv = own_entry("PMPI_Recv");
  *(void**)&past.barrier = own_entry("PMPI_Barrier");
  *(void**)&past.isend = own_entry("PMPI_Isend");
  *(void**)&past.wait = own_entry("PMPI_Wait");

  for (int round = -1; round < rounds; ++round) {  // round -1 warms up
    double time[2];
    for (int turn = 0; turn < 2; ++turn) {
      // Who goes first changes, so that neither always inherits the other's caches.
      const int which = (turn + round) & 1;
      const Entries* mpi = which ? &through : &past;
      rest(pause);
      time[which] = strcmp(argv[1], "ring") == 0     ? ring(mpi, rank, size, iterations)
                    : strcmp(argv[1], "stress") == 0 ? stress(mpi, rank, size, iterations)
                                                     : pingpong(mpi, rank, iterations);
    }
    if (rank == 0 && round >= 0) printf("%.1f %.1f\n", time[0], time[1]);
  }
  MPI_Finalize();
  return 0;
}
