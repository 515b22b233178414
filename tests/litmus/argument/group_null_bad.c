// vouch: run -n 1
// expect: error argument/group @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int size;
  MPI_Group_size(MPI_GROUP_NULL, &size);  // @a
  MPI_Finalize();
  return 0;
}
