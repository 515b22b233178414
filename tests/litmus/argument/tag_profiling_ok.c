// vouch: run -n 2
// expect: clean
// label: c-only
// The program brings a profiling layer (MPI-4.1 15.2); the MPI library is not linked into it.
#include <mpi.h>

static int initialised, sent;

int MPI_Init(int* argc, char*** argv) {
  ++initialised;
  return PMPI_Init(argc, argv);
}

int MPI_Finalize(void) {
  --initialised;
  return PMPI_Finalize();
}

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  const int error = PMPI_Send(buf, count, type, dest, tag, comm);
  ++sent;
  return error;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return initialised != 0 || sent != (rank == 0);
}
