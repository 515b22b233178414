// Two ranks pass a row of numbers around. It prints the right answer, and it is wrong in three ways:
// vouch shows where.  mpicc -g demo.c -o demo && vouch run -n 2 ./demo

#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

  MPI_Comm ring;
  MPI_Comm_dup(MPI_COMM_WORLD, &ring);  // never freed

  double row[4] = {rank, rank, rank, rank}, from[4];
  MPI_Datatype line;
  MPI_Type_contiguous(4, MPI_DOUBLE, &line);
  MPI_Type_commit(&line);

  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Isend(row, 1, line, right, 7, ring, &request);  // its request is overwritten below
  MPI_Recv(from, 1, line, left, 7, ring, MPI_STATUS_IGNORE);
  MPI_Irecv(from, 1, line, left, 8, ring, &request);
  MPI_Send(row, 1, line, right, 8, ring);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&line);

  if (rank == size - 1)  // an off-by-one: there is no rank `size`
    MPI_Send(row, 4, MPI_DOUBLE, rank + 1, 9, MPI_COMM_WORLD);

  if (rank == 0) printf("left neighbour sent %g\n", from[0]);
  MPI_Finalize();
  return 0;
}
