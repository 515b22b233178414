// vouch: run -n 1
// expect: clean
// Libraries may hand out one handle for many operations that are complete at once.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1;
  MPI_Request requests[3];
  for (int i = 0; i < 3; i++) MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF, &requests[i]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
