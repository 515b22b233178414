// vouch: run -n 1
// expect: clean
// MPI_INFO_ENV and MPI_INFO_NULL are nobody's.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info, used, env = MPI_INFO_ENV;
  int keys;
  MPI_Info_create(&info);
  MPI_Comm_get_info(MPI_COMM_WORLD, &used);
  MPI_Info_get_nkeys(env, &keys);
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
