// vouch: run -n 2
// expect: error deadlock/wildcard-knot @a
// flags: -pthread
// requires: threads
// The service thread waits for a message that the main thread forgets to send before it joins it.
#include <mpi.h>

#include <thread>

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  std::thread service([] {
    int word = 0;
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  });
  service.join();
  MPI_Finalize();
}
