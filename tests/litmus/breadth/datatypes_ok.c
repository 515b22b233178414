// Constructors of datatypes and questions about them that are rarely asked.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static int deleted;
static int forget(MPI_Datatype type, int keyval, void* value, void* extra) {
  ++deleted;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, data[16], got[16];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 16; ++i) data[i] = i;
  MPI_Datatype types[4];
  const MPI_Aint bytes[] = {0, 8, 24};
  const int places[] = {1, 4, 9};
  MPI_Type_create_hvector(3, 1, 12, MPI_INT, &types[0]);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &types[1]);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &types[2]);
  MPI_Type_create_resized(MPI_INT, -4, 16, &types[3]);
  const int last[] = {6, 7, 10, 0};
  for (int i = 0; i < 4; ++i) {
    int size;
    MPI_Count large, lb_x, extent_x;
    MPI_Aint lb, extent;
    MPI_Type_commit(&types[i]);
    MPI_Type_size(types[i], &size);
    MPI_Type_size_x(types[i], &large);
    CHECK(size == large);
    MPI_Type_get_true_extent(types[i], &lb, &extent);
    MPI_Type_get_true_extent_x(types[i], &lb_x, &extent_x);
    CHECK(lb == lb_x && extent == extent_x);
    MPI_Type_get_extent_x(types[i], &lb_x, &extent_x);
    CHECK(i != 3 || (lb_x == -4 && extent_x == 16));
    memset(got, 255, sizeof(got));
    MPI_Sendrecv(data, 1, types[i], 1 - rank, i, got, 1, types[i], 1 - rank, i, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(got[last[i]] == last[i]);
  }
  int integers, addresses, subtypes, combiner;
  MPI_Type_get_envelope(types[1], &integers, &addresses, &subtypes, &combiner);
  CHECK(integers == 2 && addresses == 3 && subtypes == 1 &&
        combiner == MPI_COMBINER_HINDEXED_BLOCK);

  char name[MPI_MAX_OBJECT_NAME];
  int length, keyval, flag;
  MPI_Type_set_name(types[0], "every third");
  MPI_Type_get_name(types[0], name, &length);
  CHECK(strcmp(name, "every third") == 0 && length == 11);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &keyval, NULL);
  int* value;
  MPI_Type_set_attr(types[0], keyval, &data[3]);
  MPI_Type_get_attr(types[0], keyval, &value, &flag);
  CHECK(flag && *value == 3);
  MPI_Type_delete_attr(types[0], keyval);
  CHECK(deleted == 1);
  MPI_Type_free_keyval(&keyval);
  for (int i = 0; i < 4; ++i) MPI_Type_free(&types[i]);

  // Predefined ones, never freed.
  MPI_Datatype f;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &f);
  MPI_Type_size(f, &length);
  CHECK(length == 8);
  MPI_Type_create_f90_integer(9, &f);
  MPI_Type_size(f, &length);
  CHECK(length == 4);
  MPI_Type_create_f90_complex(12, MPI_UNDEFINED, &f);
  MPI_Type_size(f, &length);
  CHECK(length == 16);
  MPI_Type_create_f90_real(12, MPI_UNDEFINED, &f);
  MPI_Finalize();
  return 0;
}
