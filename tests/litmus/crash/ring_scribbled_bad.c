// The program writes into the memory through which vouch gets its records. It ends as it should:
// nobody killed it, and what it did is not known.
// vouch: run -n 2
// expect: clean
// verdict: inconclusive
// not-checked: its records are damaged
// exit: any
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void scribble(void) {
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof(line), maps) != NULL) {
    unsigned long from, to;
    char mode[8];
    if (strstr(line, "vouch-ring") == NULL) continue;
    if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 || mode[1] != 'w') continue;
    if (to - from > 8192) memset((void*)from, 0xa5, to - from);
  }
  fclose(maps);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) scribble();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
