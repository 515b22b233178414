// The C++ bindings of MPI-2, which Open MPI 4 still has.
// vouch: run -n 2
// requires: openmpi
// expect: clean
// flags: -std=c++14
#include <mpi.h>

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  int token = rank, got = -1;
  MPI::Request request = MPI::COMM_WORLD.Irecv(&got, 1, MPI::INT, (rank + size - 1) % size, 4);
  MPI::COMM_WORLD.Send(&token, 1, MPI::INT, (rank + 1) % size, 4);
  request.Wait();
  MPI::Intracomm all = MPI::COMM_WORLD.Dup();
  int sum = 0;
  all.Allreduce(&got, &sum, 1, MPI::INT, MPI::SUM);
  all.Free();
  MPI::Finalize();
  return sum == size * (size - 1) / 2 ? 0 : 1;
}
