// vouch: run -n 3
// expect: error rma/race @a @b
//
// Rank 0 has a queue of tasks, and the others steal from it. A thief claims by fetch-and-add, and gets the task if it
// is published by then.
// Planted: the tasks are published before they are in the queue.
#include <mpi.h>

enum { kTasks = 24 };
enum { kHead, kCount, kFirst, kWords = kFirst + kTasks };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[kWords];
  int tasks[kTasks], done = 0, all;
  const int one = 1, none = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const int count = kTasks;
    for (int i = 0; i < kTasks; i++) {
      tasks[i] = 1 + i;
      MPI_Put(&tasks[i], 1, MPI_INT, 0, kFirst + i, 1, MPI_INT, win);  // @a
    }
    MPI_Accumulate(&count, 1, MPI_INT, 0, kCount, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  } else {
    int count, mine, task;
    for (;;) {
      MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, kHead, MPI_SUM, win);
      MPI_Win_flush(0, win);
      if (mine >= kTasks) break;
      do {
        MPI_Fetch_and_op(&none, &count, MPI_INT, 0, kCount, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
      } while (mine >= count);
      MPI_Get(&task, 1, MPI_INT, 0, kFirst + mine, 1, MPI_INT, win);  // @b
      MPI_Win_flush(0, win);
      done += task;
    }
  }
  MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
