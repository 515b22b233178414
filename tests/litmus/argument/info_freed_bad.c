// vouch: run -n 1
// expect: error argument/info @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Info info, copy;
  int keys;
  MPI_Info_create(&info);
  copy = info;
  MPI_Info_free(&info);
  MPI_Info_get_nkeys(copy, &keys);  // @a
  MPI_Finalize();
  return 0;
}
