// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <cstddef>

struct Particle {
  double position[3];
  int cell;
};

static MPI_Datatype particle() {
  const int lengths[] = {3, 1};
  const MPI_Aint at[] = {offsetof(Particle, position), offsetof(Particle, cell)};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype type, whole;
  MPI_Type_create_struct(2, lengths, at, types, &type);
  MPI_Type_create_resized(type, 0, sizeof(Particle), &whole);
  MPI_Type_commit(&whole);
  MPI_Type_free(&type);
  return whole;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Particle some[4] = {};
  MPI_Datatype type = particle();
  if (rank == 0) {
    MPI_Send(some, 4, type, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(some, 4, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
}
