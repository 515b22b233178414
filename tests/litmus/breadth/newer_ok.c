// What MPI-4.0 added besides sessions and large counts of communication.
// vouch: run -n 2
// requires: mpich
// expect: clean
#include <mpi.h>
#include <stddef.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static void add(void* in, void* inout, MPI_Count* length, MPI_Datatype* type) {
  for (MPI_Count i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op op;
  int x = 1, y = 2;
  MPI_Op_create_c(add, 1, &op);
  MPI_Reduce_local_c(&x, &y, 1, MPI_INT, op);
  CHECK(y == 3);
  MPI_Op_free(&op);

  int pair[2];
  MPI_Aint first, second;
  MPI_Get_address(&pair[0], &first);
  MPI_Get_address(&pair[1], &second);
  CHECK(MPI_Aint_diff(second, first) == sizeof(int));
  CHECK(MPI_Aint_add(first, sizeof(int)) == second);

  MPI_Info info;
  MPI_Info_create_env(argc, argv, &info);
  MPI_Info_free(&info);
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  char text[16];
  int length = sizeof(text), flag;
  MPI_Info_get_string(info, "key", &length, text, &flag);
  CHECK(flag && strcmp(text, "value") == 0);
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);

  MPI_Group world, mine, theirs;
  int remote;
  const int other = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &rank, &mine);
  MPI_Group_incl(world, 1, &other, &theirs);
  MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "bridge", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_remote_size(comm, &remote);
  CHECK(remote == 1);
  MPI_Comm_free(&comm);
  MPI_Group_free(&mine);
  MPI_Group_free(&theirs);
  MPI_Group_free(&world);

  // Four partitions, marked in groups.
  double data[4] = {0, 1, 2, 3};
  const int middle[] = {3, 2};
  if (rank == 0) {
    MPI_Psend_init(data, 4, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_range(0, 1, request);
    MPI_Pready_list(2, middle, request);
  } else {
    memset(data, 0, sizeof(data));
    MPI_Precv_init(data, 4, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(data[3] == 3);
  MPI_Request_free(&request);

  MPI_File file;
  MPI_Count extent;
  MPI_File_open(MPI_COMM_SELF, rank == 0 ? "litmus.0" : "litmus.1",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_get_type_extent_c(file, MPI_DOUBLE, &extent);
  CHECK(extent == sizeof(double));
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
