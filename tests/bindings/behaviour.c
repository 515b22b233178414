// How a process may end, fork, start threads or flood, while it is watched: run_behaviour.py.

#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static MPI_Comm world;
static int rank, size;

static void* chatter(void* number) {
  const int n = *(int*)number;
  for (int i = 0; i < 1000; ++i) {
    int x = i, y;
    MPI_Sendrecv(&x, 1, MPI_INT, rank, n, &y, 1, MPI_INT, rank, n, world, MPI_STATUS_IGNORE);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[4];
  int numbers[4];
  for (int i = 0; i < 4; ++i) {
    numbers[i] = i;
    pthread_create(&all[i], NULL, chatter, &numbers[i]);
  }
  for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);
}

static void forks(void) {
  const pid_t child = fork();
  if (child == 0) {
    int flag;
    MPI_Initialized(&flag);  // forwarded, never recorded
    exit(7);
  }
  int status;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) != 7) abort();
  if (vfork() == 0) _exit(8);
}

// Arrays far longer than a record.
static void large(int n) {
  int* lengths = malloc(n * sizeof(int));
  int* places = malloc(n * sizeof(int));
  MPI_Datatype type;
  for (int i = 0; i < n; ++i) {
    lengths[i] = i % 3 + 1;
    places[i] = 5 * i;
  }
  MPI_Type_indexed(n, lengths, places, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Request* requests = malloc(n * sizeof(MPI_Request));
  for (int i = 0; i < n; ++i) requests[i] = MPI_REQUEST_NULL;
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  free(lengths);
  free(places);
  free(requests);
}

static jmp_buf back;
static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  longjmp(back, 1);
}

static void handler(int signal) {
  static const char text[] = "handled\n";
  (void)signal;
  if (write(2, text, sizeof(text) - 1)) _exit(9);
}

int main(int argc, char** argv) {
  const char* what = argv[1];
  int provided, x = 0;
  if (!strcmp(what, "early-handler")) signal(SIGSEGV, handler);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  if (!strcmp(what, "threads")) threads();
  if (!strcmp(what, "fork")) forks();
  if (!strcmp(what, "large")) large(100000);
  if (!strcmp(what, "flood")) {
    for (int i = 0; i < 300000; ++i) MPI_Comm_rank(world, &x);
  }
  if (!strcmp(what, "segv")) *(volatile int*)16 = 1;
  if (!strcmp(what, "early-handler")) *(volatile int*)16 = 1;
  if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(what, "raise")) raise(SIGFPE);
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "bad-array")) MPI_Waitall(3, (MPI_Request*)64, MPI_STATUSES_IGNORE);
  if (!strcmp(what, "polls")) {
    int flag;
    for (int i = 0; i < 10; ++i) MPI_Iprobe(0, 1, world, &flag, MPI_STATUS_IGNORE);
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(what, "jump")) {
    MPI_Errhandler e;
    MPI_Comm_create_errhandler(jump, &e);
    MPI_Comm_set_errhandler(world, e);
    if (setjmp(back) == 0) MPI_Send(&x, 1, MPI_INT, 99, 1, world);
    MPI_Barrier(world);
  }
  if (!strcmp(what, "exit")) exit(5);
  if (!strcmp(what, "_exit")) _exit(6);
  MPI_Finalize();
  return !strcmp(what, "status") ? 3 : 0;
}
