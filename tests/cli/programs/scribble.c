// Rank 1 overwrites the memory that it shares with vouch, in one of several ways; then it goes on
// and ends with status 0. Rank 0 leaks a request and rank 2 sends a negative count: both are found
// whatever rank 1 does.
//
//     scribble WAY SEED

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kHeader = 4096, kHead = 0, kTail = 64 };

static unsigned char* ring;
static size_t bytes;  // header and data
static uint64_t state;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// The first of the two mappings of each ring begins with its header.
static void find_ring(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && ring == NULL && fgets(line, sizeof(line), maps) != NULL) {
    unsigned long from, to, offset;
    if (strstr(line, "memfd:vouch-ring") == NULL ||
        sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) != 3 || offset != 0)
      continue;
    ring = (unsigned char*)from;
    bytes = to - from;
  }
  if (maps != NULL) fclose(maps);
}

static void fill(size_t from, size_t to) {
  for (size_t at = from; at + 8 <= to; at += 8) {
    const uint64_t word = next();
    memcpy(ring + at, &word, 8);
  }
}

static void scribble(int way) {
  const uint64_t word = next();
  switch (way) {
    case 0:  // all of it
      fill(0, bytes);
      break;
    case 1:  // records
      fill(kHeader, bytes);
      break;
    case 2:  // up to where there are records
      memcpy(ring + kHead, &word, 8);
      break;
    case 3:  // from where on
      memcpy(ring + kTail, &word, 8);
      break;
    case 4:
      memset(ring, 0, bytes);
      break;
    case 5:
      memset(ring, 0xff, bytes);
      break;
    case 6:  // text, as from a string that is too long
      for (size_t at = kHeader; at < bytes; ++at) ring[at] = "overflow "[at % 9];
      break;
    case 7:  // single words of records that are not read yet
      for (int i = 0; i < 64; ++i) {
        uint64_t head;
        memcpy(&head, ring + kHead, 8);
        const uint64_t wrong = next();
        const size_t at = (size_t)((head - 8 * (1 + next() % 64)) % (bytes - kHeader));
        memcpy(ring + kHeader + at, &wrong, 8);
      }
      break;
  }
}

int main(int argc, char** argv) {
  const int way = argc > 1 ? atoi(argv[1]) : 0;
  state = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x9e3779b97f4a7c15u + 1;
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 1) find_ring();
  int x = 0, y = 0;
  for (int round = 0; round < 1000; ++round) {
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 1, &y, 1, MPI_INT, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && ring != NULL && round % 100 == 50) scribble(way);
  }
  MPI_Request request;
  if (rank == 0) MPI_Irecv(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);  // @leak
  if (rank == 2) MPI_Send(&x, -1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);  // @count
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 1) puts("done");
  return 0;
}
