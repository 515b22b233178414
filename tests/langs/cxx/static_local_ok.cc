// A static object of a function, made after MPI_Init, finalizes MPI when the program exits; another
// one that is destroyed before it still communicates.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <cstdlib>

struct Environment {
  Environment() { MPI_Init(nullptr, nullptr); }
  ~Environment() { MPI_Finalize(); }
  static Environment& instance() {
    static Environment one;
    return one;
  }
};

struct Farewell {
  Farewell() { Environment::instance(); }
  ~Farewell() { MPI_Barrier(MPI_COMM_WORLD); }
};

int main() {
  static Farewell farewell;
  std::exit(0);
}
