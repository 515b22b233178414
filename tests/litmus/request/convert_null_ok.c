// vouch: run -n 1
// expect: clean
// A null handle is converted into a null handle (MPI-4.1 19.3.4).
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int same = 1, value = 7, got = 0;
  same &= MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL;
  same &= MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC;
  same &= MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL;
  same &= MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL;
  same &= MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL;
  same &= MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL;
  same &= MPI_Op_f2c(MPI_Op_c2f(MPI_OP_NULL)) == MPI_OP_NULL;
  same &= MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL;
  same &= MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL;
  same &= MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL;
  same &= MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL)) == MPI_ERRHANDLER_NULL;
  MPI_Message message;
  MPI_Request request;
  MPI_Isend(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Mprobe(0, 7, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  message = MPI_Message_f2c(MPI_Message_c2f(message));
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  same &= MPI_Message_f2c(MPI_Message_c2f(message)) == MPI_MESSAGE_NULL;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return !same;
}
