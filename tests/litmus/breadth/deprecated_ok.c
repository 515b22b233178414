// Procedures of MPI-1 that later ones replaced: still allowed, and worth no more than a word.
// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stddef.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

// Removed by MPI-3: Open MPI keeps them in the library, not in its header.
#undef MPI_Address
#undef MPI_Type_extent
#undef MPI_Type_lb
#undef MPI_Type_ub
#undef MPI_Type_hvector
#undef MPI_Type_hindexed
#undef MPI_Type_struct
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
int MPI_Address(void* at, MPI_Aint* address);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* at);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* at);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* type);
int MPI_Type_hindexed(int count, int lengths[], MPI_Aint places[], MPI_Datatype old,
                      MPI_Datatype* type);
int MPI_Type_struct(int count, int lengths[], MPI_Aint places[], MPI_Datatype types[],
                    MPI_Datatype* type);
int MPI_Errhandler_create(void (*function)(MPI_Comm*, int*, ...), MPI_Errhandler* handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);

static int errors, copies;
static void count(MPI_Comm* comm, int* error, ...) { ++errors; }
static int copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  *(void**)out = in;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}
static int forget(MPI_Comm comm, int keyval, void* value, void* extra) {
  --copies;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct {
    int i;
    double d;
  } pair;
  MPI_Aint first, second, extent, lb, ub;
  MPI_Address(&pair.i, &first);
  MPI_Address(&pair.d, &second);
  int lengths[] = {1, 1};
  MPI_Aint places[] = {0, second - first};
  MPI_Datatype members[] = {MPI_INT, MPI_DOUBLE}, types[3];
  MPI_Type_struct(2, lengths, places, members, &types[0]);
  MPI_Type_hvector(2, 1, 16, MPI_INT, &types[1]);
  MPI_Type_hindexed(2, lengths, places, MPI_INT, &types[2]);
  MPI_Type_extent(types[0], &extent);
  MPI_Type_lb(types[0], &lb);
  MPI_Type_ub(types[0], &ub);
  CHECK(lb == 0 && ub == extent && extent == sizeof(pair));
  for (int i = 0; i < 3; ++i) MPI_Type_free(&types[i]);

  MPI_Comm comm, twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler, old;
  MPI_Errhandler_get(comm, &old);
  MPI_Errhandler_create(count, &handler);
  MPI_Errhandler_set(comm, handler);
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  CHECK(errors == 1);
  MPI_Errhandler_set(comm, old);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&old);

  int keyval, flag, *value;
  MPI_Keyval_create(copy, forget, &keyval, NULL);
  MPI_Attr_put(comm, keyval, &errors);
  MPI_Comm_dup(comm, &twin);
  MPI_Attr_get(twin, keyval, &value, &flag);
  CHECK(flag && value == &errors && copies == 1);
  MPI_Attr_delete(twin, keyval);
  CHECK(copies == 0);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comm);
  MPI_Keyval_free(&keyval);
  MPI_Finalize();
  return 0;
}
