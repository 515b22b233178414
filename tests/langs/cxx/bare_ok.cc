// The shortest program. Open MPI's C++ bindings, which mpicxx links, call MPI before main.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main() {
  MPI_Init(nullptr, nullptr);
  MPI_Finalize();
}
