// vouch: run -n 3
// expect: error race/message-harmful @a
// The probe tells of one message, the receive may take the other, longer one.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* data = calloc(20, sizeof(int));
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      MPI_Status status;
      int count;
      MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
      fclose(fopen("taken", "w"));
    }
  } else {
    // Nothing of MPI orders the messages; that they do not meet in this run is seen to otherwise.
    while (rank == 2 && access("taken", F_OK) != 0) usleep(1000);
    MPI_Send(data, 10 * rank, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
