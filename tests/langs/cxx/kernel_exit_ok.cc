// Ends by a system call that nobody sees coming: the kernel knows the status.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <sys/syscall.h>
#include <unistd.h>

int main() {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  syscall(SYS_exit_group, 0);
}
