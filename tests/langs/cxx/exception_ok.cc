// An exception unwinds from deep inside to main; objects on the way free what is theirs.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <memory>
#include <stdexcept>

struct Environment {
  Environment() { MPI_Init(nullptr, nullptr); }
  ~Environment() { MPI_Finalize(); }
};

struct Duplicate {
  Duplicate() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~Duplicate() { MPI_Comm_free(&comm); }
  MPI_Comm comm;
};

int depth_of(const Duplicate& where, int depth) {
  if (depth == 0) {
    MPI_Barrier(where.comm);
    throw std::domain_error("bottom");
  }
  const auto own = std::make_unique<Duplicate>();
  return depth_of(*own, depth - 1) + 1;
}

int main() {
  int caught = 0;
  try {
    Environment environment;
    try {
      depth_of(Duplicate(), 3);
    } catch (const std::domain_error&) {
      ++caught;
      throw;
    }
  } catch (const std::exception&) {
    ++caught;
  }
  return caught == 2 ? 0 : 1;
}
