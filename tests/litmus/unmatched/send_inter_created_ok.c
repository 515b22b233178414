// vouch: run -n 6
// expect: clean
// Inter-communicators made from an inter-communicator: each side names only its own group.
#include <mpi.h>

static int rank;

static void exchange(MPI_Comm inter) {
  int me, remote, x = rank, y = 0, sum;
  MPI_Request request;
  MPI_Comm_rank(inter, &me);
  MPI_Comm_remote_size(inter, &remote);
  if (me < remote) {
    MPI_Isend(&x, 1, MPI_INT, me, 1, inter, &request);
    MPI_Recv(&y, 1, MPI_INT, rank % 2 == 0 ? me : MPI_ANY_SOURCE, 1, inter, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, inter);
}

static MPI_Comm create(MPI_Comm inter, int n) {
  MPI_Group all, some;
  MPI_Comm made;
  int first[] = {0, 1, 2};
  MPI_Comm_group(inter, &all);
  MPI_Group_incl(all, n, first, &some);
  MPI_Comm_create(inter, some, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return made;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half, inter, two, one, copy, later, part, flat;
  MPI_Request request;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
  two = create(inter, 2);
  if (two != MPI_COMM_NULL) {
    exchange(two);
    MPI_Comm_dup(two, &copy);
    MPI_Comm_idup(copy, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(later, 0, -rank, &part);
    exchange(copy);
    exchange(later);
    exchange(part);
    MPI_Intercomm_merge(part, rank % 2, &flat);
    MPI_Barrier(flat);
    one = create(copy, 1);
    if (one != MPI_COMM_NULL) {
      exchange(one);
      MPI_Comm_free(&one);
    }
    MPI_Comm_free(&flat);
    MPI_Comm_free(&part);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&two);
  }
  // One side names nobody: nobody gets a communicator.
  one = create(inter, rank % 2 == 0 ? 2 : 0);
  if (one != MPI_COMM_NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
