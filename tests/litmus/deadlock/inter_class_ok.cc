// vouch: run -n 3
// expect: clean
// The first and the second group begin with each other.
#include <mpi.h>

class Bridge {
 public:
  Bridge(MPI_Comm local, int other, int tag) {
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, other, tag, &comm_);
  }
  ~Bridge() { MPI_Comm_free(&comm_); }
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Bridge low(MPI_COMM_SELF, rank == 0 ? 1 : 0, 7);
    Bridge high(MPI_COMM_SELF, rank == 2 ? 1 : 2, 7);
  }
  MPI_Finalize();
}
