// vouch: run -n 2
// expect: clean
// A fault that the program's own handler, there before MPI_Init, has recovered from is no crash.
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf before;
static void recover(int number) { siglongjmp(before, number); }

int main(int argc, char** argv) {
  signal(SIGSEGV, recover);
  MPI_Init(&argc, &argv);
  volatile int* const nowhere = (volatile int*)8;
  if (sigsetjmp(before, 1) == 0) *nowhere = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
