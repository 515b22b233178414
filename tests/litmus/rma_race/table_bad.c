// vouch: run -n 3
// expect: error rma/race @a @b
//
// A hash table that is spread over the processes: keys are claimed by compare-and-swap, values follow by Put.
// Planted: values are looked up while other processes may still be storing theirs.
#include <mpi.h>

enum { kSlots = 64, kKeys = 12, kRanks = 3 };
typedef struct { int key, value; } Slot;  // key 0: free

static MPI_Win win;

// Which slot has the key; with claim, a free one is taken for it.
static int find(int key, int claim) {
  const int none = 0;
  for (int at = key * 17 % (kSlots * kRanks);; at = (at + 1) % (kSlots * kRanks)) {
    int owner = at / kSlots, word = at % kSlots * 2, found;
    if (claim) {
      MPI_Compare_and_swap(&key, &none, &found, MPI_INT, owner, word, win);
    } else {
      MPI_Fetch_and_op(&none, &found, MPI_INT, owner, word, MPI_NO_OP, win);
    }
    MPI_Win_flush(owner, win);
    if (found == key || (claim && found == 0)) return at;
    if (found == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static Slot slots[kSlots];
  MPI_Win_create(slots, sizeof slots, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  int at[kKeys], values[kKeys];
  for (int i = 0; i < kKeys; i++) at[i] = find(1 + i * kRanks + rank, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kKeys; i++) {
    values[i] = 100 + i * kRanks + rank;
    MPI_Put(&values[i], 1, MPI_INT, at[i] / kSlots, at[i] % kSlots * 2 + 1, 1, MPI_INT, win);  // @a
  }
  MPI_Win_flush_all(win);
  for (int key = 1; key <= kKeys * kRanks; key++) {
    int slot = find(key, 0), value;
    MPI_Get(&value, 1, MPI_INT, slot / kSlots, slot % kSlots * 2 + 1, 1, MPI_INT, win);  // @b
    MPI_Win_flush(slot / kSlots, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
