// vouch: run -n 2
// expect: clean
// Persistent requests of a border without a neighbour: a library may say of started ones that none
// is active.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {1, 2}, y[2], index, count, flag, indices[2];
  MPI_Request some[2], any[2], one;
  for (int i = 0; i < 2; ++i) {
    MPI_Send_init(&x[i], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &some[i]);
    MPI_Recv_init(&y[i], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &any[i]);
  }
  MPI_Recv_init(&y[0], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &one);
  for (int step = 0; step < 3; ++step) {
    MPI_Startall(2, some);
    do {
      MPI_Waitsome(2, some, &count, indices, MPI_STATUSES_IGNORE);
    } while (count != MPI_UNDEFINED);
    MPI_Startall(2, any);
    do {
      MPI_Waitany(2, any, &index, MPI_STATUS_IGNORE);
    } while (index != MPI_UNDEFINED);
    MPI_Start(&one);
    do {
      MPI_Testany(1, &one, &index, &flag, MPI_STATUS_IGNORE);
    } while (!flag || index != MPI_UNDEFINED);
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Request_free(&some[i]);
    MPI_Request_free(&any[i]);
  }
  MPI_Request_free(&one);
  MPI_Finalize();
  return 0;
}
