// vouch: run -n 1
// expect: clean
// What predefined ops are defined on, with some types that are easily forgotten.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signed char a = 1, b;
  MPI_Aint c = 1, d;
  MPI_Offset e = 1, f;
  MPI_Count g = 1, h;
  unsigned char i = 1, j;
  double _Complex k = 1, l;
  struct { int value, index; } m = {1, 0}, n;
  MPI_Comm comm = MPI_COMM_SELF;
  MPI_Allreduce(&a, &b, 1, MPI_SIGNED_CHAR, MPI_SUM, comm);
  MPI_Allreduce(&c, &d, 1, MPI_AINT, MPI_MAX, comm);
  MPI_Allreduce(&e, &f, 1, MPI_OFFSET, MPI_BOR, comm);
  MPI_Allreduce(&g, &h, 1, MPI_COUNT, MPI_SUM, comm);
  MPI_Allreduce(&i, &j, 1, MPI_BYTE, MPI_BXOR, comm);
  MPI_Allreduce(&k, &l, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, comm);
  MPI_Allreduce(&m, &n, 1, MPI_2INT, MPI_MINLOC, comm);
  MPI_Finalize();
  return 0;
}
