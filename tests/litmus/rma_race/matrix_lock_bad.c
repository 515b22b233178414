// vouch: run -n 3
// expect: error race/local @a0 @b0
// expect: error race/local @a1 @b1
// expect: error race/local @a2 @b2
// expect: error rma/race @a3 @b3
// expect: error rma/race @a4 @b4
// expect: error race/local @a5 @b5
// expect: error race/local @a6 @b6
// expect: error rma/race @a7 @b7
// expect: error race/local @a8 @b8
// expect: error rma/race @a9 @b9
// expect: error rma/race @a10 @b10
// expect: error rma/race @a11 @b11
// expect: error rma/race @a12 @b12
// expect: error rma/race @a13 @b13
// expect: error rma/race @a14 @b14
// expect: error rma/race @a15 @b15
// expect: error rma/race @a16 @b16
// expect: error rma/race @a17 @b17
// expect: error rma/race @a18 @b18
// expect: error rma/race @a19 @b19
//
// Every pair of accesses that conflicts, each at an element of its own: origin (o) and target (t) of Get
// and Put, reads and writes by the owner.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[128];
  int y[16] = {0};
  int z[32] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(&z[9], 1, MPI_INT, 1, 9, 1, MPI_INT, win);  // @b9
    MPI_Get(&z[10], 1, MPI_INT, 1, 10, 1, MPI_INT, win);  // @b10
    MPI_Put(&z[12], 1, MPI_INT, 1, 12, 1, MPI_INT, win);  // @b12
  } else if (rank == 1) {
    MPI_Get(&memory[0], 1, MPI_INT, 0, 64, 1, MPI_INT, win);  // @a0
    MPI_Get(&memory[0], 1, MPI_INT, 0, 65, 1, MPI_INT, win);  // @b0
    MPI_Get(&memory[1], 1, MPI_INT, 0, 66, 1, MPI_INT, win);  // @a1
    MPI_Put(&memory[1], 1, MPI_INT, 0, 67, 1, MPI_INT, win);  // @b1
    MPI_Put(&memory[2], 1, MPI_INT, 0, 68, 1, MPI_INT, win);  // @a2
    MPI_Get(&memory[2], 1, MPI_INT, 0, 69, 1, MPI_INT, win);  // @b2
    MPI_Get(&memory[3], 1, MPI_INT, 0, 70, 1, MPI_INT, win);  // @a3
    MPI_Get(&memory[4], 1, MPI_INT, 0, 72, 1, MPI_INT, win);  // @a4
    MPI_Get(&memory[5], 1, MPI_INT, 0, 74, 1, MPI_INT, win);  // @a5
    MPI_Allreduce(&memory[5], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b5
    MPI_Get(&memory[6], 1, MPI_INT, 0, 76, 1, MPI_INT, win);  // @a6
    MPI_Allreduce(y, &memory[6], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b6
    MPI_Put(&memory[7], 1, MPI_INT, 0, 78, 1, MPI_INT, win);  // @a7
    MPI_Put(&memory[8], 1, MPI_INT, 0, 80, 1, MPI_INT, win);  // @a8
    MPI_Allreduce(y, &memory[8], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b8
    MPI_Allreduce(y, &memory[11], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b11
    MPI_Allreduce(&memory[13], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b13
    MPI_Allreduce(y, &memory[14], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @b14
    MPI_Get(&memory[15], 1, MPI_INT, 0, 95, 1, MPI_INT, win);  // @b15
    MPI_Get(&memory[16], 1, MPI_INT, 0, 97, 1, MPI_INT, win);  // @b16
    MPI_Allreduce(&memory[17], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @a17
    MPI_Allreduce(y, &memory[18], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @a18
    MPI_Allreduce(y, &memory[19], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @a19
  } else {
    MPI_Get(&z[3], 1, MPI_INT, 1, 3, 1, MPI_INT, win);  // @b3
    MPI_Put(&z[4], 1, MPI_INT, 1, 4, 1, MPI_INT, win);  // @b4
    MPI_Put(&z[7], 1, MPI_INT, 1, 7, 1, MPI_INT, win);  // @b7
    MPI_Get(&z[9], 1, MPI_INT, 1, 9, 1, MPI_INT, win);  // @a9
    MPI_Put(&z[10], 1, MPI_INT, 1, 10, 1, MPI_INT, win);  // @a10
    MPI_Get(&z[11], 1, MPI_INT, 1, 11, 1, MPI_INT, win);  // @a11
    MPI_Put(&z[12], 1, MPI_INT, 1, 12, 1, MPI_INT, win);  // @a12
    MPI_Put(&z[13], 1, MPI_INT, 1, 13, 1, MPI_INT, win);  // @a13
    MPI_Put(&z[14], 1, MPI_INT, 1, 14, 1, MPI_INT, win);  // @a14
    MPI_Get(&z[15], 1, MPI_INT, 1, 15, 1, MPI_INT, win);  // @a15
    MPI_Put(&z[16], 1, MPI_INT, 1, 16, 1, MPI_INT, win);  // @a16
    MPI_Put(&z[17], 1, MPI_INT, 1, 17, 1, MPI_INT, win);  // @b17
    MPI_Get(&z[18], 1, MPI_INT, 1, 18, 1, MPI_INT, win);  // @b18
    MPI_Put(&z[19], 1, MPI_INT, 1, 19, 1, MPI_INT, win);  // @b19
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
