// vouch: run -n 4
// expect: clean
// Inter-communicators owned by objects: created from each other, freed by destructors.
#include <mpi.h>

#include <utility>

class Comm {
 public:
  explicit Comm(MPI_Comm comm = MPI_COMM_NULL) : comm_(comm) {}
  Comm(Comm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  ~Comm() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  operator MPI_Comm() const { return comm_; }
  int rank() const {
    int r;
    MPI_Comm_rank(comm_, &r);
    return r;
  }
  Comm split(int colour) const {
    MPI_Comm made;
    MPI_Comm_split(comm_, colour, 0, &made);
    return Comm(made);
  }
  Comm connect(int leader, const Comm& peer, int other) const {
    MPI_Comm made;
    MPI_Intercomm_create(comm_, leader, peer, other, 4, &made);
    return Comm(made);
  }
  Comm first() const {  // of each side
    MPI_Group all, one;
    MPI_Comm made;
    const int zero = 0;
    MPI_Comm_group(comm_, &all);
    MPI_Group_incl(all, 1, &zero, &one);
    MPI_Comm_create(comm_, one, &made);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    return Comm(made);
  }

 private:
  MPI_Comm comm_;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    const Comm world(copy);
    const Comm half = world.split(world.rank() % 2);
    const Comm inter = half.connect(0, world, 1 - world.rank() % 2);
    const Comm leaders = inter.first();
    if (MPI_Comm(leaders) != MPI_COMM_NULL) {
      int x = world.rank(), y = 0;
      MPI_Request request;
      MPI_Isend(&x, 1, MPI_INT, 0, 1, leaders, &request);
      MPI_Recv(&y, 1, MPI_INT, 0, 1, leaders, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Barrier(leaders);
    }
  }
  MPI_Finalize();
}
