// vouch: run -n 2
// expect: clean
// On MPI_COMM_SELF each rank may open its own file in its own way.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  int mode = MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | (rank == 0 ? MPI_MODE_WRONLY : MPI_MODE_RDWR);
  MPI_File_open(MPI_COMM_SELF, rank == 0 ? "zero.dat" : "one.dat", mode, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
