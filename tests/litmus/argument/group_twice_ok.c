// vouch: run -n 2
// expect: clean
// Empty groups in every way; MPI_PROC_NULL in a translation.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world, none, nobody, same;
  int all[2] = {0, 1}, from[2] = {1, MPI_PROC_NULL}, to[2];
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 0, NULL, &none);
  MPI_Group_excl(world, 2, all, &nobody);
  MPI_Group_union(world, MPI_GROUP_EMPTY, &same);
  MPI_Group_translate_ranks(world, 2, from, same, to);
  MPI_Group_free(&same);
  MPI_Group_free(&nobody);
  MPI_Group_free(&none);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
