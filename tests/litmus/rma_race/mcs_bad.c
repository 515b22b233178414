// vouch: run -n 3
// expect: error rma/race @a @a
//
// An MCS lock: those who wait are a list, and each waits for a flag of its own. It guards a sum on the last process.
// Planted: the lock is passed on before the sum has been put.
#include <mpi.h>

enum { kRounds = 6, kRanks = 3, kSum = kRanks - 1 };
enum { kTail, kNext, kWait, kValue, kWords };  // the tail is rank 0's, the value is the last rank's

static MPI_Win win;
static int rank;

static void set(int owner, int word, int value) {
  MPI_Accumulate(&value, 1, MPI_INT, owner, word, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_flush(owner, win);
}

static int get(int owner, int word) {
  int value, none = 0;
  MPI_Fetch_and_op(&none, &value, MPI_INT, owner, word, MPI_NO_OP, win);
  MPI_Win_flush(owner, win);
  return value;
}

static void acquire(void) {
  int before;
  set(rank, kNext, -1);
  set(rank, kWait, 1);
  MPI_Fetch_and_op(&rank, &before, MPI_INT, 0, kTail, MPI_REPLACE, win);
  MPI_Win_flush(0, win);
  if (before < 0) return;
  set(before, kNext, rank);
  while (get(rank, kWait)) {
  }
}

static void release(void) {
  const int nobody = -1;
  int tail, next;
  MPI_Compare_and_swap(&nobody, &rank, &tail, MPI_INT, 0, kTail, win);
  MPI_Win_flush(0, win);
  if (tail == rank) return;
  do next = get(rank, kNext);
  while (next < 0);
  set(next, kWait, 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[kWords] = {-1, -1, 0, 0};
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  int sum;
  for (int i = 0; i < kRounds; i++) {
    acquire();
    MPI_Get(&sum, 1, MPI_INT, kSum, kValue, 1, MPI_INT, win);
    MPI_Win_flush(kSum, win);
    sum += rank + 1;
    MPI_Put(&sum, 1, MPI_INT, kSum, kValue, 1, MPI_INT, win);  // @a
    MPI_Win_flush_local(kSum, win);
    release();
    MPI_Win_flush_all(win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get(&sum, 1, MPI_INT, kSum, kValue, 1, MPI_INT, win);
  MPI_Win_flush(kSum, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
