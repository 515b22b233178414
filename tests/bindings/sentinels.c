// Spawning: what is passed for arguments and error codes, and the communicators of parent and child. One rank.
// Marks: run_bindings.py.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm parent, child;
  MPI_Init(&argc, &argv);         // @ MPI_Init
  MPI_Comm_get_parent(&parent);   // @ MPI_Comm_get_parent leave
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, MPI_ERRCODES_IGNORE);  // @ MPI_Comm_spawn argv=0 maxprocs=1 array_of_errcodes=IGNORE leave
    MPI_Comm_disconnect(&child);  // @ MPI_Comm_disconnect
  } else {
    MPI_Comm_disconnect(&parent);
  }
  MPI_Finalize();  // @ MPI_Finalize
  return 0;
}
