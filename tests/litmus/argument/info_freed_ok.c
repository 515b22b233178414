// vouch: run -n 1
// expect: clean
// A hint may be freed once it has been passed on.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  MPI_Comm comm;
  MPI_Comm_dup_with_info(MPI_COMM_SELF, info, &comm);
  MPI_Info_free(&info);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
