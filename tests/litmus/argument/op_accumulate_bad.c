// vouch: run -n 2
// expect: error argument/op @a
// also: crash
// And no user-defined op does.
#include <mpi.h>

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) { *(int*)inout += *(int*)in; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  static int x = 1, room[16];
  MPI_Win win;
  MPI_Op op;
  MPI_Op_create(sum, 1, &op);
  MPI_Win_create(room, sizeof room, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win);  // @a
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
