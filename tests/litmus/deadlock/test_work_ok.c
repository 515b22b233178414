// vouch: run -n 2
// expect: clean
// Both compute for long, and ask in between so that the library gets on; then they send.
#include <mpi.h>

static volatile double sum;

static void work(long n) {
  for (long k = 0; k < n; ++k) sum += 1.0 / (k + 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, y, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long n = 1000;
  double took = 0;
  for (; took < 0.01; n *= 2) {
    const double start = MPI_Wtime();
    work(n);
    took = MPI_Wtime() - start;
  }
  n = (long)(n / took * 0.009); // about 18 ms: all blocks take longer than vouch is patient
  MPI_Request request;
  MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  for (int block = 0; block < 700; ++block) {
    work(n);
    if (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  if (!flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
