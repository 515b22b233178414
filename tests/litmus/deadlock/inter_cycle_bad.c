// vouch: run -n 6
// expect: error deadlock/wait-cycle @a
// Three groups, each creates with the next one first: every leader waits for one that waits for
// another.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int mine = rank % 3, next = (mine + 1) % 3, before = (mine + 2) % 3;
  MPI_Comm group, to_next, to_before;
  MPI_Comm_split(MPI_COMM_WORLD, mine, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, next, 10 + mine, &to_next);  // @a
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, before, 10 + before, &to_before);
  MPI_Comm_free(&to_before);
  MPI_Comm_free(&to_next);
  MPI_Comm_free(&group);
  MPI_Finalize();
  return 0;
}
