// vouch: run -n 2
// expect: error rma/race @a @b
//
// Notified access: the producer puts an item and then its number, the consumer polls for the number, sends the item on
// and says so. At the end the producer wipes the place.
// Planted: the consumer says so before it has sent the item on.
#include <mpi.h>

enum { kItems = 8 };
enum { kNumber, kItem, kWords };

static int poll(int owner, int until, MPI_Win win) {
  int none = 0, number;
  do {
    MPI_Fetch_and_op(&none, &number, MPI_INT, owner, kNumber, MPI_NO_OP, win);
    MPI_Win_flush(owner, win);
  } while (number < until);
  return number;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[kWords];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  const int peer = 1 - rank;
  for (int i = 1; i <= kItems; i++) {
    if (rank == 0) {
      if (i > 1) poll(0, i - 1, win);
      int item = 10 * i;
      MPI_Put(&item, 1, MPI_INT, peer, kItem, 1, MPI_INT, win);
      MPI_Win_flush(peer, win);
    } else {
      int item;
      poll(1, i, win);
      MPI_Accumulate(&i, 1, MPI_INT, peer, kNumber, 1, MPI_INT, MPI_REPLACE, win);
      MPI_Win_flush(peer, win);
      MPI_Sendrecv(&memory[kItem], 1, MPI_INT, 0, 0, &item, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // @b
      sum += item;
    }
    if (rank == 1) continue;
    MPI_Accumulate(&i, 1, MPI_INT, peer, kNumber, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(peer, win);
  }
  if (rank == 0) {
    const int wiped = -1;
    poll(0, kItems, win);
    MPI_Put(&wiped, 1, MPI_INT, peer, kItem, 1, MPI_INT, win);  // @a
    MPI_Win_flush(peer, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
