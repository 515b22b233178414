// vouch: run -n 1
// expect: clean
// requires: mpich
// [U39]: since MPI-4.0 info objects may be made before initialisation and after finalisation.
#include <mpi.h>

static void use_info(void) {
  MPI_Info info, copy;
  int keys, flag;
  char value[16];
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "red");
  MPI_Info_get_nkeys(info, &keys);
  MPI_Info_get(info, "colour", 15, value, &flag);
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(copy, "colour");
  MPI_Info_free(&copy);
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  use_info();
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  use_info();
  return 0;
}
