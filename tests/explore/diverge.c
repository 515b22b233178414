// Programs that depend on more than their input and the order of their messages.
//
//     diverge MODE [COUNTER]
//
// They end well in every run; what they do is decided by the clock, by random numbers, by threads,
// or by how often they were started (COUNTER, a file), which stands for any of them.
//   time     receives with a tag that the clock gives; random: that the system's random numbers give
//   tag      by the number of the run: another tag of a receive from any source
//   kind     another call
//   comm     another communicator
//   number   fewer receives from any source
//   silent   who sends is decided so: a source that was decided on may send nothing
//   poll     how often MPI_Test is asked before anything else is done
//   threads  two threads receive from any source; which of them comes first changes
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { kFirst = 1, kSecond = 2 };
static int rank, size;

// Rank 0 decides, all know.
static int agree(int value) {
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value;
}

static int by_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int)(now.tv_nsec / 1000 % 30000);
}

static int by_chance(void) {
  unsigned short bits = 0;
  if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits)) abort();
  return bits % 30000;
}

// How often this was called by runs before.
static int run_number(const char* path) {
  if (rank != 0) return 0;
  const int file = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, "x", 1) != 1) abort();
  const off_t length = lseek(file, 0, SEEK_END);
  close(file);
  return (int)length - 1;
}

// Rank 0 takes two messages of every other rank.
static void exchange(int first, int second, MPI_Comm comm) {
  int value = rank;
  if (rank != 0) {
    MPI_Send(&value, 1, MPI_INT, 0, first, comm);
    MPI_Send(&value, 1, MPI_INT, 0, second, comm);
  }
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, first, comm, MPI_STATUS_IGNORE);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, second, comm, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
}

static void* receive_some(void* tag) {
  int value;
  for (int i = 1; i < size; ++i)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, *(int*)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return NULL;
}

static void threads(int swapped) {
  int tags[2] = {kFirst, kSecond}, value = 0;
  if (rank != 0) {
    MPI_Send(&value, 1, MPI_INT, 0, kFirst, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 0, kSecond, MPI_COMM_WORLD);
    return;
  }
  pthread_t other;
  pthread_create(&other, NULL, receive_some, &tags[swapped]);
  receive_some(&tags[!swapped]);
  pthread_join(other, NULL);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  int provided;
  if (!strcmp(mode, "threads"))
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  else
    MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  const int before = argc > 2 ? agree(run_number(argv[2])) : 0;
  int value = rank;
  if (!strcmp(mode, "time")) {
    exchange(agree(by_clock()), kSecond, MPI_COMM_WORLD);
  } else if (!strcmp(mode, "random")) {
    exchange(agree(by_chance()), kSecond, MPI_COMM_WORLD);
  } else if (!strcmp(mode, "tag")) {
    exchange(before ? kSecond : kFirst, before ? kFirst : kSecond, MPI_COMM_WORLD);
  } else if (!strcmp(mode, "comm")) {
    exchange(kFirst, kSecond, before ? other : MPI_COMM_WORLD);
  } else if (!strcmp(mode, "kind")) {
    if (rank != 0) MPI_Send(&value, 1, MPI_INT, 0, kFirst, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; ++i) {
      MPI_Request request;
      if (before) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kFirst, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kFirst, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  } else if (!strcmp(mode, "number")) {
    for (int k = 0; k < (before ? 1 : 3); ++k) exchange(kFirst, kSecond, MPI_COMM_WORLD);
  } else if (!strcmp(mode, "silent")) {
    // All but one send, another one in each run.
    const int silent = 1 + (size - 2 + before) % (size - 1);
    if (rank != 0 && rank != silent) MPI_Send(&value, 1, MPI_INT, 0, kFirst, MPI_COMM_WORLD);
    for (int i = 2; rank == 0 && i < size; ++i)
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kFirst, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(mode, "poll")) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    if (rank == 0) MPI_Irecv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
    for (int i = 0; rank == 0 && i <= before; ++i)
      if (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    exchange(kFirst, kSecond, MPI_COMM_WORLD);
    if (rank == 0 && !done) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  } else if (!strcmp(mode, "threads")) {
    threads(before & 1);
  }
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
