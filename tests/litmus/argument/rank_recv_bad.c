// vouch: run -n 1
// expect: error argument/rank @a
// expect: error argument/rank @b
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x, flag;
  MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Iprobe(-7, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // @b
  MPI_Finalize();
  return 0;
}
