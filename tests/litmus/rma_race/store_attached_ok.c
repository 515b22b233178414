// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// A barrier before the store.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  static int memory[16];
  MPI_Win dynamic;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_attach(dynamic, memory, sizeof memory);
  MPI_Aint there = 0;
  MPI_Get_address(memory, &there);
  MPI_Bcast(&there, 1, MPI_AINT, 1, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, dynamic);
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, there, 4, MPI_INT, dynamic);
  MPI_Win_unlock_all(dynamic);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) memory[3] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(dynamic, memory);
  MPI_Win_free(&dynamic);
  MPI_Finalize();
  return 0;
}
