// vouch: run -n 2
// expect: clean
#include <mpi.h>

// Owns a request: completed when it goes out of scope, unless somebody forgot.
class Pending {
 public:
  Pending(int& data, int peer, bool sends) {
    if (sends)
      MPI_Isend(&data, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request_);
    else
      MPI_Irecv(&data, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request_);
  }
  ~Pending() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x, y;
  {
    Pending out(x, 1 - rank, true);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
