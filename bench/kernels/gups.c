// Random updates of a table that is spread over all ranks: accumulates (MPI_BXOR) at random words, a flush after each
// batch, or each by MPI_Fetch_and_op whose old value decides where the next one goes.
//
//   gups accumulate|fetch UPDATES BATCH
// Rank 0 prints what is left in its part of the table, and the seconds of all updates.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kWords = 1 << 18 };
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int fetch = strcmp(argv[1], "fetch") == 0, updates = atoi(argv[2]), batch = atoi(argv[3]);
  uint64_t* table;
  MPI_Win win;
  MPI_Win_allocate(kWords * sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
  for (int i = 0; i < kWords; ++i) table[i] = i;
  uint64_t* values = malloc(batch * sizeof(uint64_t));
  MPI_Barrier(MPI_COMM_WORLD);
  const double started = MPI_Wtime();
  uint64_t x = 88172645463325252u + rank;
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < updates; i += batch) {
    for (int j = 0; j < batch; ++j) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      values[j] = x;
      const int target = x / kWords % ranks;
      if (fetch) {
        uint64_t old;
        MPI_Fetch_and_op(&values[j], &old, MPI_UINT64_T, target, x % kWords, MPI_BXOR, win);
        MPI_Win_flush(target, win);
        x += old & 1;
      } else {
        MPI_Accumulate(&values[j], 1, MPI_UINT64_T, target, x % kWords, 1, MPI_UINT64_T, MPI_BXOR, win);
      }
    }
    if (!fetch) MPI_Win_flush_all(win);
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - started;
  uint64_t total = 0;
  for (int i = 0; i < kWords; ++i) total ^= table[i];
  if (rank == 0) printf("total %lx\nseconds %f\n", (unsigned long)total, seconds);
  free(values);
  MPI_Win_free(&win);
  MPI_Finalize();
}
