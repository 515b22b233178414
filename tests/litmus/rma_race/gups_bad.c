// vouch: run -n 3
// expect: error rma/race @a @b
// expect: error rma/race @b @b
//
// Random updates of a table that is spread over the processes. The same updates once more bring back what was there.
// Planted: an update is a Get, then a Put. Another process may update in between.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

enum { kWords = 32, kUpdates = 60, kRanks = 3 };

static uint64_t next_random(uint64_t seed) { return seed * 6364136223846793005u + 1442695040888963407u; }

static void update(uint64_t at, MPI_Win win) {
  uint64_t value = at;
  int owner = (at >> 32) % kRanks, word = (at >> 40) % kWords;
  MPI_Get(&value, 1, MPI_UINT64_T, owner, word, 1, MPI_UINT64_T, win);  // @a
  MPI_Win_flush(owner, win);
  value ^= at;
  MPI_Put(&value, 1, MPI_UINT64_T, owner, word, 1, MPI_UINT64_T, win);  // @b
  MPI_Win_flush(owner, win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  uint64_t* table;
  MPI_Win win;
  MPI_Win_allocate(kWords * sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
  for (int i = 0; i < kWords; i++) table[i] = i;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int round = 0; round < 2; round++) {
    uint64_t seed = 77 + rank;
    for (int i = 0; i < kUpdates; i++) update(seed = next_random(seed), win);
  }
  MPI_Win_flush_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
