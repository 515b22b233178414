// vouch: run -n 4
// expect: clean
// requires: mpich
// What is made of an inter-communicator by MPI_Comm_split_type, and what is made of that.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, me, size, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int high = rank / 2;
  MPI_Comm half, inter, shared, copy, part, whole;
  MPI_Comm_split(MPI_COMM_WORLD, high, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : 2, 3, &inter);
  MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  MPI_Comm_dup(shared, &copy);
  MPI_Comm_split(copy, 0, rank, &part);
  MPI_Intercomm_merge(part, high, &whole);
  MPI_Comm all[3] = {shared, copy, part};
  MPI_Comm_rank(shared, &me);
  for (int i = 0; i < 3; ++i) {
    if (high) MPI_Send(&x, 1, MPI_INT, me, i, all[i]);
    if (!high) MPI_Recv(&x, 1, MPI_INT, me, i, all[i], MPI_STATUS_IGNORE);
    MPI_Barrier(all[i]);
  }
  MPI_Comm_rank(whole, &me);
  MPI_Comm_size(whole, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % size, 0, &x, 1, MPI_INT, (me + size - 1) % size, 0,
               whole, MPI_STATUS_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, whole);
  MPI_Comm_free(&whole);
  for (int i = 0; i < 3; ++i) MPI_Comm_free(&all[i]);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
