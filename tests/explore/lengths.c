// Rank 0 has room for the message of rank 1; that of rank 2 is longer.
//
//     lengths [late] [wait] [probe]
//
//   late   rank 2 sends some time later: a free run goes well
//   wait   the receive is posted first and waited for
//   probe  the room is that of the message which a probe has seen, the receive may take the other
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int rank, room = 1, four[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i, room = 4) {
      if (!strcmp(how, "wait")) {
        MPI_Request request;
        MPI_Irecv(four, room, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        continue;
      }
      if (!strcmp(how, "probe")) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &room);
      }
      MPI_Recv(four, room, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else {
    if (rank == 2 && !strcmp(how, "late")) usleep(300000);
    MPI_Send(four, rank == 1 ? 1 : 4, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
