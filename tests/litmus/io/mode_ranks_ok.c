// vouch: run -n 2
// expect: clean
// The path may be spelt differently, and infos may differ.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  int mode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "hint_of_our_own", rank == 0 ? "a" : "b");
  MPI_File_open(MPI_COMM_WORLD, rank == 0 ? "litmus.dat" : "./litmus.dat", mode, info, &file);
  MPI_Info_free(&info);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
