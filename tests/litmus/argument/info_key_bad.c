// vouch: run -n 1
// expect: error argument/info @a
// expect: error argument/info @b
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Info info;
  char key[MPI_MAX_INFO_KEY + 10];
  memset(key, 'k', sizeof key);
  key[sizeof key - 1] = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, "value");  // @a
  MPI_Info_set(info, "", "value");  // @b
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
