// A correct program that often looks stuck: loops of tests and probes, sleeps, long computation, one rank far behind,
// messages taken late. What it does follows from the seed alone, equal in all ranks.
//
//   patience SEED STEPS
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long state;
static int rank, size;

static int dice(int n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)n);
}

static void compute(int milliseconds) {
  const double end = MPI_Wtime() + milliseconds / 1000.0;
  while (MPI_Wtime() < end) {
    for (volatile int i = 0; i < 100000; ++i) {
    }
  }
}

static void delay(int milliseconds, int sleeps) {
  if (sleeps)
    usleep(milliseconds * 1000);
  else
    compute(milliseconds);
}

static void test_loop(int late, int ms, int sleeps) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int in = 0, out = rank, done = 0;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  if (rank == late) delay(ms, sleeps);
  MPI_Issend(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
  while (!done) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
}

static void probe_loop(int late, int ms, int sleeps) {
  int x = 0;
  if (rank == late) {
    delay(ms, sleeps);
    for (int r = 0; r < size; ++r) {
      if (r != rank) MPI_Send(&x, 1, MPI_INT, r, 2, MPI_COMM_WORLD);
    }
    return;
  }
  int there = 0;
  while (!there) MPI_Iprobe(late, 2, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  MPI_Recv(&x, 1, MPI_INT, late, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collective(int late, int ms, int sleeps) {
  int x = rank, y = 0;
  if (rank == late) delay(ms, sleeps);
  MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, late, MPI_COMM_WORLD);
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void farm(int late, int ms, int sleeps) {
  int x = 0;
  if (rank != late) {
    delay(ms * rank / size, sleeps);
    MPI_Send(&x, 1, MPI_INT, late, 3, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, late, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int i = 1; i < size; ++i) {
    MPI_Status status;
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    MPI_Send(&x, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD);
  }
}

enum { kMany = 3000 };

// One rank takes what it was sent long after.
static void behind(int late, int ms, int sleeps) {
  static int data[kMany];
  static MPI_Request requests[kMany];
  const int other = (late + 1) % size;
  if (rank == other) {
    for (int i = 0; i < kMany; ++i) MPI_Isend(&data[i], 1, MPI_INT, late, 5, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(kMany, requests, MPI_STATUSES_IGNORE);
  } else if (rank == late) {
    delay(ms, sleeps);
    for (int i = 0; i < kMany; ++i) MPI_Recv(&data[i], 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void any_of_two(int late, int ms, int sleeps) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int in[2] = {0, 0}, out = 0, which;
  MPI_Request receive[2], sent[2];
  MPI_Irecv(&in[0], 1, MPI_INT, left, 6, MPI_COMM_WORLD, &receive[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, right, 7, MPI_COMM_WORLD, &receive[1]);
  if (rank == late) delay(ms, sleeps);
  MPI_Isend(&out, 1, MPI_INT, right, 6, MPI_COMM_WORLD, &sent[0]);
  MPI_Isend(&out, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &sent[1]);
  for (int i = 0; i < 2; ++i) MPI_Waitany(2, receive, &which, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
}

// Communicators that come and go; halves that meet through their leaders.
static void halves(int late, int ms, int sleeps) {
  MPI_Comm half, inter, all;
  int x = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 8, &inter);
  if (rank == late) delay(ms, sleeps);
  MPI_Intercomm_merge(inter, rank % 2, &all);
  MPI_Bcast(&x, 1, MPI_INT, 0, all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Barrier(all);
  MPI_Comm_free(&all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  const int steps = argc > 2 ? atoi(argv[2]) : 10;
  void (*const kinds[])(int, int, int) = {test_loop, probe_loop, collective, farm, behind, any_of_two, halves};
  for (int i = 0; i < steps; ++i) {
    const int kind = dice(7), late = dice(size), ms = dice(4) == 0 ? 200 + dice(500) : dice(30), sleeps = dice(2);
    kinds[kind](late, ms, sleeps);
  }
  if (rank == dice(size)) delay(dice(700), 1);
  MPI_Finalize();
  return 0;
}
