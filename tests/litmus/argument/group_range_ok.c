// vouch: run -n 2
// expect: clean
// Ranges backwards, and one of a single rank.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, back, one;
  int down[1][3] = {{1, 0, -1}}, single[1][3] = {{1, 1, 5}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, down, &back);
  MPI_Group_range_excl(world, 1, single, &one);
  MPI_Group_free(&one);
  MPI_Group_free(&back);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
