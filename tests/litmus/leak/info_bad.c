// vouch: run -n 1
// expect: warning leak/info @a
// expect: warning leak/info @b
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info, used;
  MPI_Info_create(&info);  // @a
  MPI_Comm_get_info(MPI_COMM_WORLD, &used);  // @b
  MPI_Finalize();
  return 0;
}
