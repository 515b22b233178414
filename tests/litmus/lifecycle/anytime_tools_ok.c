// vouch: run -n 1
// expect: clean
// requires: openmpi
// [U39]: the tool interface has its own initialisation, before that of MPI and beside it. (MPICH crashes.)
#include <mpi.h>

static void look(void) {
  int provided, count;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_cvar_get_num(&count);
  MPI_T_finalize();
}

int main(int argc, char** argv) {
  look();
  MPI_Init(&argc, &argv);
  look();
  MPI_Finalize();
  return 0;
}
