// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info info;
  MPI_Comm comm;
  int x[4] = {0};
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_exact_length", "true");
  MPI_Info_set(info, "mpi_assert_allow_overtaking", "true");
  MPI_Info_set(info, "an_unknown_key", "true");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_free(&info);
  if (rank == 0) MPI_Send(x, 2, MPI_INT, 1, 0, comm);
  if (rank == 1) MPI_Recv(x, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
