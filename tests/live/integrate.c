// predict: -n 4
// flags: -I{api} -Wl,--no-as-needed -lm
// finds: assertion/violated shown
// verdict: error
// The integral of sin from 0 to pi in parts. The root takes the parts in any order, but believes that they come in the order of the ranks.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <vouch.h>

int main(int argc, char** argv) {
  int rank, size, steps = 0;
  double part[2], all = 0;  // who, and how much
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) steps = 1000;
  MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int p = 1; p < size; ++p) {
      MPI_Recv(part, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      VOUCH_ASSERT(part[0] == p, part[0], p);
      all += part[1];
    }
    printf("%f\n", all);
  } else {
    const double pi = acos(-1), low = pi * (rank - 1) / (size - 1), width = pi / (size - 1) / steps;
    part[0] = rank;
    part[1] = 0;
    for (int i = 0; i < steps; ++i) part[1] += sin(low + (i + 0.5) * width) * width;
    MPI_Send(part, 2, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
