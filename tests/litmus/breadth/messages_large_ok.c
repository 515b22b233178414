// Point-to-point communication with large counts.
// vouch: run -n 2
// requires: large-count
// expect: clean
#include <mpi.h>
#include <stdlib.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in[16] = {0}, out[16];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 16; ++i) out[i] = 100 * rank + i;
  const int other = 1 - rank;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request r[16];
  MPI_Status status;
  MPI_Message message;
  MPI_Count size, count;

  MPI_Pack_size_c(16, MPI_INT, comm, &size);
  const MPI_Count bytes = size + 3 * MPI_BSEND_OVERHEAD + 64;
  void* room = malloc(bytes);
  MPI_Buffer_attach_c(room, bytes);
  if (rank == 0) {
    MPI_Send_c(out, 1, MPI_INT, 1, 0, comm);
    MPI_Ssend_c(out + 1, 1, MPI_INT, 1, 1, comm);
    MPI_Bsend_c(out + 2, 1, MPI_INT, 1, 2, comm);
    MPI_Isend_c(out + 3, 1, MPI_INT, 1, 3, comm, &r[0]);
    MPI_Issend_c(out + 4, 1, MPI_INT, 1, 4, comm, &r[1]);
    MPI_Ibsend_c(out + 5, 1, MPI_INT, 1, 5, comm, &r[2]);
    MPI_Send_init_c(out + 6, 1, MPI_INT, 1, 6, comm, &r[3]);
    MPI_Ssend_init_c(out + 7, 1, MPI_INT, 1, 7, comm, &r[4]);
    MPI_Bsend_init_c(out + 8, 1, MPI_INT, 1, 8, comm, &r[5]);
    MPI_Startall(3, &r[3]);
    MPI_Recv_c(NULL, 0, MPI_INT, 1, 99, comm, MPI_STATUS_IGNORE);
    MPI_Rsend_c(out + 9, 1, MPI_INT, 1, 9, comm);
    MPI_Irsend_c(out + 10, 1, MPI_INT, 1, 10, comm, &r[6]);
    MPI_Rsend_init_c(out + 11, 1, MPI_INT, 1, 11, comm, &r[7]);
    MPI_Start(&r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    for (int i = 3; i < 6; ++i) MPI_Request_free(&r[i]);
    MPI_Request_free(&r[7]);
    MPI_Send_c(out + 12, 2, MPI_INT, 1, 12, comm);
    MPI_Send_c(out + 14, 2, MPI_INT, 1, 13, comm);
  } else {
    for (int i = 0; i < 11; ++i) MPI_Irecv_c(in + i, 1, MPI_INT, 0, i, comm, &r[i]);
    MPI_Recv_init_c(in + 11, 1, MPI_INT, 0, 11, comm, &r[11]);
    MPI_Start(&r[11]);
    MPI_Send_c(NULL, 0, MPI_INT, 0, 99, comm);
    MPI_Waitall(12, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[11]);
    MPI_Mprobe(0, 12, comm, &message, &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    MPI_Mrecv_c(in + 12, count, MPI_INT, &message, &status);
    MPI_Get_elements_c(&status, MPI_INT, &count);
    CHECK(count == 2);
    MPI_Mprobe(0, 13, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv_c(in + 14, 2, MPI_INT, &message, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 16; ++i) CHECK(in[i] == i);
  }
  MPI_Buffer_detach_c(&room, &size);
  CHECK(size == bytes);
  free(room);

  int x = rank, y = -1;
  MPI_Sendrecv_c(&x, 1, MPI_INT, other, 20, &y, 1, MPI_INT, other, 20, comm, MPI_STATUS_IGNORE);
  CHECK(y == other);
  MPI_Sendrecv_replace_c(&x, 1, MPI_INT, other, 21, other, 21, comm, MPI_STATUS_IGNORE);
  CHECK(x == other);
  MPI_Isendrecv_c(&x, 1, MPI_INT, other, 22, &y, 1, MPI_INT, other, 22, comm, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  CHECK(y == rank);
  MPI_Isendrecv_replace_c(&x, 1, MPI_INT, other, 23, other, 23, comm, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  CHECK(x == rank);
  MPI_Isendrecv(&x, 1, MPI_INT, other, 24, &y, 1, MPI_INT, other, 24, comm, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  CHECK(y == other);
  MPI_Isendrecv_replace(&x, 1, MPI_INT, other, 25, other, 25, comm, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  CHECK(x == other);
  MPI_Finalize();
  return 0;
}
