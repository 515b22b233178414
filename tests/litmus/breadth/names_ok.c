// A name is published, found and taken back. What it stands for is any text here.
// vouch: run -n 1
// requires: mpich
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char found[MPI_MAX_PORT_NAME];
  MPI_Publish_name("litmus-names", MPI_INFO_NULL, "somewhere");
  MPI_Lookup_name("litmus-names", MPI_INFO_NULL, found);
  CHECK(strcmp(found, "somewhere") == 0);
  MPI_Unpublish_name("litmus-names", MPI_INFO_NULL, "somewhere");
  MPI_Finalize();
  return 0;
}
