// vouch: run -n 2
// compile: vouch cc
// expect: clean
//
// The target polls by loads for a flag that is put when the data are there.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, here, *memory;
  const int x = 7, one = 1;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  memory[0] = memory[1] = 0;
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    MPI_Put(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
  } else {
    while (*(volatile int*)(memory + 1) == 0) {
      MPI_Win_sync(win);
      MPI_Iprobe(0, 0, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    }
    MPI_Win_sync(win);
    printf("%d\n", memory[0]);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
