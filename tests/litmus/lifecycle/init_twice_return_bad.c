// vouch: run -n 1
// expect: error lifecycle/init-twice @a
// also: crash
// With MPI_ERRORS_RETURN the second call only fails; the program goes on.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);  // @a
  MPI_Finalize();
  return 0;
}
