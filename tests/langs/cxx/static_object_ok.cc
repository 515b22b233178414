// MPI begins in the constructor of a global object and ends in its destructor, after main.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <vector>

namespace {

struct Session {
  Session() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }
  ~Session() {
    int sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
  }
  MPI_Comm comm;
  int value = 1;
};

Session session;

}  // namespace

int main() {
  int size = 0;
  MPI_Comm_size(session.comm, &size);
  std::vector<int> all(static_cast<std::size_t>(size));
  MPI_Gather(&session.value, 1, MPI_INT, all.data(), 1, MPI_INT, 0, session.comm);
}
