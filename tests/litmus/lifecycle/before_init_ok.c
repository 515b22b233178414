// vouch: run -n 1
// expect: clean
// [U39]: what MPI-3 lets a program call at any time.
#include <mpi.h>

int main(int argc, char** argv) {
  int flag, version, subversion, length;
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&flag);
  MPI_Finalized(&flag);
  MPI_Get_version(&version, &subversion);
  MPI_Get_library_version(name, &length);
  MPI_Init(&argc, &argv);
  MPI_Initialized(&flag);
  MPI_Finalize();
  MPI_Initialized(&flag);
  MPI_Finalized(&flag);
  MPI_Get_version(&version, &subversion);
  MPI_Get_library_version(name, &length);
  return flag ? 0 : 1;
}
