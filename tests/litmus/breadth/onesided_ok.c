// Every one-sided access; vouch names them, since it does not look for races between them.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Win win;
  MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < 8; ++i) memory[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);

  // Each process works on the other's memory, and alone.
  int one = 1, five = 5, zero = 0, got = -1, old = -1;
  MPI_Request request;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
  MPI_Put(&five, 1, MPI_INT, other, 0, 1, MPI_INT, win);
  MPI_Win_flush(other, win);
  MPI_Get(&got, 1, MPI_INT, other, 0, 1, MPI_INT, win);
  MPI_Win_flush(other, win);
  CHECK(got == 5);
  MPI_Accumulate(&one, 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush(other, win);
  MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush(other, win);
  CHECK(old == 1);
  MPI_Fetch_and_op(&one, &old, MPI_INT, other, 1, MPI_SUM, win);
  MPI_Win_flush(other, win);
  CHECK(old == 2);
  MPI_Compare_and_swap(&five, &zero, &old, MPI_INT, other, 2, win);
  MPI_Win_flush(other, win);
  CHECK(old == 0);
  MPI_Rput(&five, 1, MPI_INT, other, 3, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush(other, win);
  MPI_Rget(&got, 1, MPI_INT, other, 3, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == 5);
  MPI_Raccumulate(&one, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush(other, win);
  MPI_Rget_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, win,
                      &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(old == 1);
  MPI_Win_unlock(other, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  CHECK(memory[0] == 5 && memory[1] == 3 && memory[2] == 5 && memory[3] == 5 && memory[4] == 2);
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
