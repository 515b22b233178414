// vouch: run -n 6
// expect: clean
// The same ring of three groups; the last one begins with the group before it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int mine = rank % 3, next = (mine + 1) % 3, before = (mine + 2) % 3;
  MPI_Comm group, to_next, to_before;
  MPI_Comm_split(MPI_COMM_WORLD, mine, rank, &group);
  if (mine == 0) MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, next, 10 + mine, &to_next);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, before, 10 + before, &to_before);
  if (mine != 0) MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, next, 10 + mine, &to_next);
  MPI_Barrier(mine == 0 ? to_next : to_before);
  MPI_Barrier(mine == 0 ? to_before : to_next);
  MPI_Comm_free(mine == 0 ? &to_next : &to_before);
  MPI_Comm_free(mine == 0 ? &to_before : &to_next);
  MPI_Comm_free(&group);
  MPI_Finalize();
  return 0;
}
