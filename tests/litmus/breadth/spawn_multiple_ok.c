// Two commands become one world of children.
// vouch: run -- mpirun.openmpi --oversubscribe -n 1
// requires: openmpi
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm other;
  int size;
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    char* commands[] = {argv[0], argv[0]};
    const int counts[] = {1, 1};
    const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &other,
                            MPI_ERRCODES_IGNORE);
    MPI_Comm_remote_size(other, &size);
    CHECK(size == 2);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
