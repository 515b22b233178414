// vouch: run -n 3
// expect: clean
//
// A ticket lock: who draws a number waits until it is served. It guards a sum on the last process.
#include <mpi.h>

enum { kRounds = 6, kRanks = 3, kSum = kRanks - 1 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[3];  // the next number to draw, the number that is served, the sum
  const int one = 1, none = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  int sum;
  for (int i = 0; i < kRounds; i++) {
    int mine, served;
    MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    do {
      MPI_Fetch_and_op(&none, &served, MPI_INT, 0, 1, MPI_NO_OP, win);
      MPI_Win_flush(0, win);
    } while (served != mine);
    MPI_Get(&sum, 1, MPI_INT, kSum, 2, 1, MPI_INT, win);
    MPI_Win_flush(kSum, win);
    sum += rank + 1;
    MPI_Put(&sum, 1, MPI_INT, kSum, 2, 1, MPI_INT, win);
    MPI_Win_flush(kSum, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get(&sum, 1, MPI_INT, kSum, 2, 1, MPI_INT, win);
  MPI_Win_flush(kSum, win);
  if (sum != kRounds * kRanks * (kRanks + 1) / 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
