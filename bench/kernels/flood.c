// Rank 0 makes CALLS calls as fast as it can; the others wait for it in MPI_Finalize.
//
//   flood CALLS READY_FILE
// Before the flood it writes its process number into READY_FILE and waits until that file is gone: the driver stops the
// agent in between. At the end it prints by how many kilobytes its memory has grown.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long calls = argc > 1 ? atol(argv[1]) : 1000000;
  if (rank == 0 && argc > 2) {
    FILE* ready = fopen(argv[2], "w");
    if (ready == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(ready, "%d\n", (int)getpid());
    fclose(ready);
    while (access(argv[2], F_OK) == 0) usleep(1000);
  }
  if (rank == 0) {
    const long before = peak_kib();
    long data = 0;
    for (long i = 0; i < calls; ++i) MPI_Send(&data, 1, MPI_LONG, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    printf("grown %ld\n", peak_kib() - before);
  }
  MPI_Finalize();
  return 0;
}
