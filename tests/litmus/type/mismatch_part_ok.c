// vouch: run -n 2
// expect: clean
// 13 bytes as bytes, packed data as what it is, and a message that ends inside a struct: it has
// fewer basic elements than the receive, all of them whole.
#include <mpi.h>

struct pair {
  int number;
  double value;
};

int main(int argc, char** argv) {
  int rank, lengths[2] = {1, 1}, position = 0, elements;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char text[20] = "hello, world", packed[64];
  struct pair pairs[2] = {{1, 2}, {3, 4}};
  double value = 5;
  MPI_Aint at[2] = {0, (char*)&pairs[0].value - (char*)&pairs[0]};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
  MPI_Status status;
  MPI_Type_create_struct(2, lengths, at, types, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(text, 13, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    MPI_Pack(&value, 1, MPI_DOUBLE, packed, 64, &position, MPI_COMM_WORLD);
    MPI_Send(packed, position, MPI_PACKED, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&pairs[0].number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(text, 20, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(pairs, 2, type, 0, 7, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, type, &elements);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
