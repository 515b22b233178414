// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int memory = 0, value = 1, other = 1 - rank;
  MPI_Win window;
  MPI_Group all, group;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &group);
  MPI_Win_create(&memory, sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_post(group, 0, window);
  MPI_Win_wait(window);  // @a
  MPI_Win_start(group, 0, window);
  MPI_Win_complete(window);
  MPI_Win_free(&window);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
