// vouch: run -n 1
// expect: clean
// Unknown keys, absent keys, the longest key.
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Comm comm;
  char key[MPI_MAX_INFO_KEY], value[8];
  int flag;
  memset(key, 'k', sizeof key);
  key[sizeof key - 1] = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "nobody_knows_this_key", "true");
  MPI_Info_set(info, key, "value");
  MPI_Info_get(info, "absent", 7, value, &flag);
  MPI_Comm_dup_with_info(MPI_COMM_SELF, info, &comm);
  MPI_Comm_free(&comm);
  MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &comm);
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
