// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Two threads make and free objects all the time. A library gives the value of a freed handle to the other thread
// before the call that freed it has returned.
#include <mpi.h>
#include <pthread.h>

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 4000; ++i) {
    MPI_Datatype type;
    MPI_Info info;
    int size, n;
    MPI_Type_contiguous(1 + i % 5, MPI_INT, &type);
    MPI_Type_size(type, &size);
    MPI_Info_create(&info);
    MPI_Info_get_nkeys(info, &n);
    MPI_Type_size(type, &size);
    MPI_Type_free(&type);
    MPI_Info_get_nkeys(info, &n);
    MPI_Info_free(&info);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
