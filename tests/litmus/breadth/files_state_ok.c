// What a file says of itself.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static int errors;
static void count(MPI_File* file, int* error, ...) { ++errors; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const int mode = MPI_MODE_RDWR | MPI_MODE_CREATE;
  MPI_File file;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat", mode, info, &file);
  MPI_File_set_info(file, info);
  MPI_Info_free(&info);
  MPI_File_get_info(file, &info);
  MPI_Info_free(&info);
  int answer;
  MPI_File_get_amode(file, &answer);
  CHECK(answer == mode);
  MPI_File_set_atomicity(file, 1);
  MPI_File_get_atomicity(file, &answer);
  CHECK(answer == 1);
  MPI_Group group;
  MPI_File_get_group(file, &group);
  MPI_Group_size(group, &answer);
  CHECK(answer == size);
  MPI_Group_free(&group);
  MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_Offset at, bytes;
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(file, &at, &etype, &filetype, datarep);
  CHECK(at == 8 && etype == MPI_INT && strcmp(datarep, "native") == 0);
  MPI_File_seek(file, 3, MPI_SEEK_SET);
  MPI_File_get_position(file, &at);
  MPI_File_get_byte_offset(file, at, &bytes);
  CHECK(at == 3 && bytes == 20);
  MPI_Aint extent;
  MPI_File_get_type_extent(file, MPI_INT, &extent);
  CHECK(extent == sizeof(int));
  MPI_File_set_size(file, 64);
  MPI_File_preallocate(file, 128);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 128);
  MPI_Errhandler handler, old;
  MPI_File_create_errhandler(count, &handler);
  MPI_File_get_errhandler(file, &old);
  MPI_File_set_errhandler(file, handler);
  MPI_File_call_errhandler(file, MPI_ERR_OTHER);
  CHECK(errors == 1);
  MPI_File_set_errhandler(file, old);
  MPI_Errhandler_free(&old);
  MPI_Errhandler_free(&handler);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete("litmus.dat", MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
