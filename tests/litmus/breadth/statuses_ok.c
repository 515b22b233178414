// A status in the forms of C and mpi_f08.
// vouch: run -n 1
// requires: mpich
// expect: clean
// flags: -Wl,--no-as-needed -lmpichfort
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Status status, again;
  MPI_F08_status modern;
  MPI_Sendrecv(&x, 1, MPI_INT, 0, 7, &y, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &status);
  MPI_Status_c2f08(&status, &modern);
  MPI_Status_f082c(&modern, &again);
  CHECK(again.MPI_TAG == 7 && again.MPI_SOURCE == 0);
  MPI_Finalize();
  return 0;
}
