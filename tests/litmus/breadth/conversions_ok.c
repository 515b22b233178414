// Every handle to Fortran and back, also null handles.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Group group;
  MPI_Datatype type;
  MPI_Op op = MPI_MAX;
  MPI_Info info;
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  MPI_Win win;
  MPI_File file;
  MPI_Request request;
  int x = 0, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Info_create(&info);
  MPI_Win_create(&x, sizeof(x), 1, MPI_INFO_NULL, comm, &win);
  MPI_File_open(comm, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_Irecv(&x, 1, MPI_INT, other, 0, comm, &request);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
  CHECK(MPI_Group_f2c(MPI_Group_c2f(group)) == group);
  CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
  CHECK(MPI_Op_f2c(MPI_Op_c2f(op)) == op);
  CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
  CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(handler)) == handler);
  CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win);
  CHECK(MPI_File_f2c(MPI_File_c2f(file)) == file);
  CHECK(MPI_Request_f2c(MPI_Request_c2f(request)) == request);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
  CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  int y = 1;
  MPI_Send(&y, 1, MPI_INT, other, 0, comm);
  MPI_Status status, again;
  MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint) + 1];
  MPI_Wait(&request, &status);
  MPI_Status_c2f(&status, fortran);
  MPI_Status_f2c(fortran, &again);
  CHECK(again.MPI_SOURCE == other && again.MPI_TAG == 0);
  MPI_Message message;
  MPI_Isend(&y, 1, MPI_INT, other, 1, comm, &request);
  MPI_Mprobe(other, 1, comm, &message, MPI_STATUS_IGNORE);
  CHECK(MPI_Message_f2c(MPI_Message_c2f(message)) == message);
  MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Win_free(&win);
  MPI_Info_free(&info);
  MPI_Type_free(&type);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
