// vouch: run -n 1
// expect: clean
// The promise binds the communicator it was made for, not its parent; a plain dup inherits no hint.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Comm comm, twin;
  int flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_source", "true");
  MPI_Comm_dup_with_info(MPI_COMM_SELF, info, &comm);
  MPI_Info_free(&info);
  MPI_Iprobe(0, 3, comm, &flag, MPI_STATUS_IGNORE);
  MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  MPI_Comm_dup(comm, &twin);
  MPI_Iprobe(MPI_ANY_SOURCE, 3, twin, &flag, MPI_STATUS_IGNORE);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
