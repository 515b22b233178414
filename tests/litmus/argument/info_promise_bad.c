// vouch: run -n 1
// expect: error argument/info @a
// The communicator was promised not to see MPI_ANY_SOURCE.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Comm comm;
  int flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_source", "true");
  MPI_Comm_dup_with_info(MPI_COMM_SELF, info, &comm);
  MPI_Info_free(&info);
  MPI_Iprobe(MPI_ANY_SOURCE, 3, comm, &flag, MPI_STATUS_IGNORE);  // @a
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
