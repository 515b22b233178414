// vouch: run -n 2
// expect: error argument/rank @a
//
// An exception that hides a wrong call.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  const int rank = MPI::COMM_WORLD.Get_rank();
  int x = rank;
  try {
    MPI_Send(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);  // @a
  } catch (MPI::Exception&) {
  }
  if (rank == 0) MPI::COMM_WORLD.Send(&x, 1, MPI::INT, 1, 0);
  if (rank == 1) MPI::COMM_WORLD.Recv(&x, 1, MPI::INT, 0, 0);
  MPI::Finalize();
}
