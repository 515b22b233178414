// vouch: run -n 3
// expect: error deadlock/wait-cycle @a
// A class that bridges two groups; three objects are made in a circle.
#include <mpi.h>

class Bridge {
 public:
  Bridge(MPI_Comm local, int other, int tag) {
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, other, tag, &comm_);  // @a
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
    Bridge next(MPI_COMM_SELF, (rank + 1) % 3, 7);
    Bridge before(MPI_COMM_SELF, (rank + 2) % 3, 7);
  }
  MPI_Finalize();
}
