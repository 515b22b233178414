// vouch: run -n 1
// expect: error argument/rank @a
// flags: -D_GNU_SOURCE -ldl
// [U11]: an error beats what was not checked.
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  void* library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_NOLOAD);
  if (!library) library = dlopen("libmpich.so.12", RTLD_NOW | RTLD_NOLOAD);
  int (*contiguous)(int, MPI_Datatype, MPI_Datatype*) = dlsym(library, "PMPI_Type_contiguous");
  MPI_Datatype pair;
  int x[2] = {1, 2};
  contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Send(x, 1, pair, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  MPI_Send(x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);  // @a
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
