// vouch: run -n 1
// requires: mpich
// expect: error argument/communicator @c
// expect: error type/handle @t
// expect: error argument/op @o
// expect: error request/handle @r
// expect: error argument/group @g
// expect: error rma/window @w
// expect: error argument/info @i
// expect: error argument/attribute @e
// expect: error argument/attribute @k
// expect: error io/access @f
// expect: error request/message @m
// Errors are returned, and each says which handle is none.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int b = 0, d = 0, junk = 0x1234567;
  MPI_Request request = junk;
  MPI_Message message = junk;
  MPI_File file = (MPI_File)&(char[4096]){0};
  MPI_Comm_size((MPI_Comm)junk, &b);                                        // @c
  MPI_Send(&b, 1, (MPI_Datatype)junk, MPI_PROC_NULL, 0, MPI_COMM_WORLD);    // @t
  MPI_Reduce(&b, &d, 1, MPI_INT, (MPI_Op)junk, 0, MPI_COMM_SELF);           // @o
  MPI_Wait(&request, MPI_STATUS_IGNORE);                                    // @r
  MPI_Group_size((MPI_Group)junk, &b);                                      // @g
  MPI_Win_fence(0, (MPI_Win)junk);                                          // @w
  MPI_Info_set((MPI_Info)junk, "a", "b");                                   // @i
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, (MPI_Errhandler)junk);            // @e
  MPI_Comm_set_attr(MPI_COMM_WORLD, junk, &b);                              // @k
  MPI_File_write(file, &b, 1, MPI_INT, MPI_STATUS_IGNORE);                  // @f
  MPI_Mrecv(&b, 1, MPI_INT, &message, MPI_STATUS_IGNORE);                   // @m
  MPI_Finalize();
  return 0;
}
