// Send modes that are rarely used, persistent and not, and what a status says of them.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <stdlib.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in[4] = {0}, out[4] = {1, 2, 3, 4}, size, flag, index;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &size);
  void* room = malloc(2 * (size + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(room, 2 * (size + MPI_BSEND_OVERHEAD));
  MPI_Request requests[4];
  MPI_Status status;
  if (rank == 0) {
    MPI_Bsend_init(out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Ibsend(out + 1, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(out + 2, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irsend(out + 3, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[2]);
    for (int done = 0; done < 3;) {
      MPI_Testany(3, requests, &index, &flag, &status);
      if (flag && index != MPI_UNDEFINED) ++done;
    }
  } else {
    for (int i = 0; i < 4; ++i)
      MPI_Irecv(in + i, 1, MPI_INT, 0, i + 1, MPI_COMM_WORLD, &requests[i]);
    MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(in[0] == 1 && in[1] == 2 && in[2] == 3 && in[3] == 4);
  }
  MPI_Buffer_detach(&room, &size);
  free(room);

  // Three integers into a type of two: one whole element and a half.
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Send(out, 3, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    int elements, count;
    MPI_Count many;
    MPI_Recv(in, 2, pair, 0, 5, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, pair, &elements);
    MPI_Get_elements_x(&status, pair, &many);
    MPI_Get_count(&status, pair, &count);
    CHECK(elements == 3 && many == 3 && count == MPI_UNDEFINED);
    MPI_Status_set_elements_x(&status, MPI_INT, 6);
    MPI_Get_elements_x(&status, pair, &many);
    CHECK(many == 6);
  }
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
