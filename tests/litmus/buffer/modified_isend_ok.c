// vouch: run --check-buffers -n 1
// expect: clean
// [U21]: reading is fine; so are the holes of a datatype, a buffer of MPI_Ibsend, and what comes after
// completion, by whatever call it was seen.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4], flag = 0, sum = 0, index;
  MPI_Request request[3], copy;
  MPI_Datatype odd;
  MPI_Type_vector(4, 1, 2, MPI_INT, &odd);
  MPI_Type_commit(&odd);
  MPI_Isend(x, 1, odd, 0, 7, MPI_COMM_SELF, &request[0]);
  MPI_Type_free(&odd);
  for (int i = 0; i < 8; i += 2) sum += x[i];
  x[1] = x[3] = x[5] = x[7] = sum;
  MPI_Recv(y, 4, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  copy = request[0];
  while (!flag) MPI_Test(&copy, &flag, MPI_STATUS_IGNORE);
  x[0] = 9;
  for (int i = 0; i < 3; ++i) MPI_Isend(&x[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &request[i]);
  for (int i = 0; i < 3; ++i) MPI_Recv(y, 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) {
    MPI_Waitany(3, request, &index, MPI_STATUS_IGNORE);
    x[index] = -1;
  }
  MPI_Finalize();
  return 0;
}
