// A rank ends by a system call of its own, without MPI_Finalize and unseen. It was not killed; what
// it did at last is not known.
// vouch: run -n 2
// expect: clean
// verdict: inconclusive
// not-checked: it exited with status 0 and its last calls are not known
// exit: any
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  syscall(SYS_exit_group, 0);
  return 0;
}
