/* Programs of [D1-D6], and what must not be called one. The first argument chooses. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, size;

static void recv_recv(int a, int b) {
  int v = 0, other = rank == a ? b : a;
  MPI_Recv(&v, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* [D1, D6] */
  MPI_Send(&v, 1, MPI_INT, other, 7, MPI_COMM_WORLD);
}

static void potential(void) {
  int v = rank, w = 0;
  if (rank == 1) {
    MPI_Recv(&w, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&w, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 0 || rank == 2) {
    MPI_Send(&v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&v, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD); /* [D2] */
  MPI_Recv(&w, 1, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void knot(void) {
  int v = 0;
  MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* [D3] */
}

static void finished(void) {
  int v = 0;
  if (rank == 0) MPI_Recv(&v, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* [D4] */
}

static void barrier_recv(void) {
  int v = 0;
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD); /* [D5] */
    MPI_Send(&v, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD);
  } else if (rank == size - 1) {
    MPI_Recv(&v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* The outer two are stuck, the inner two go on for a while. */
static void part(void) {
  int v = 0, other = rank == 1 ? 2 : 1;
  if (rank == 0 || rank == 3) recv_recv(0, 3);
  const time_t end = time(NULL) + 10;
  while (time(NULL) < end) {
    MPI_Sendrecv_replace(&v, 1, MPI_INT, other, 6, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(1000);
  }
}

/* So many calls that a ring is full in a fraction of a second. */
static void busy(double seconds) {
  int in, out = rank, go = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("up\n");
  fflush(stdout);
  for (const double end = MPI_Wtime() + seconds; go;) {
    for (int i = 0; i < 1000; ++i)
      MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    go = MPI_Wtime() < end;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("done\n");
  fflush(stdout);
}

/* Rank 0 comes long after the others. */
static void be_tardy(void) {
  const char *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *mpich = getenv("PMI_RANK");
  const char* number = open_mpi != NULL ? open_mpi : mpich;
  if (number != NULL && atoi(number) == 0) sleep(3);
}

/* Messages and collectives of all kinds, slow ranks, a loop of tests. */
static void fine(int rounds) {
  int in[3] = {0, 0, 0}, out = rank;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < rounds; ++i) {
    MPI_Request r[2];
    MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[1]);
    if (i % 3 == rank % 3) usleep(2000);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, left, 2, &in[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (i % 10 == 0) {
      MPI_Allreduce(&out, &in[2], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      MPI_Bcast(&in[2], 1, MPI_INT, i / 10 % size, MPI_COMM_WORLD);
      MPI_Barrier(half);
    }
  }
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Ssend(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  MPI_Comm_free(&half);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A wrong argument and a leak on the last rank, which is on the last node. */
static void wrong(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank != size - 1) MPI_Comm_free(&copy);
  if (rank == size - 1) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(&rank, 1, MPI_INT, size + 3, 1, MPI_COMM_WORLD); /* argument/rank */
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A message of the wrong type between the first and the last rank. */
__attribute__((noinline)) static void types(void) {
  double d = 1;
  int v[2] = {0, 0};
  if (rank == 0) MPI_Send(&d, 1, MPI_DOUBLE, size - 1, 3, MPI_COMM_WORLD); /* type/mismatch */
  if (rank == size - 1) MPI_Recv(v, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void lost_message(void) {
  int v = 0;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD); /* unmatched/send */
  MPI_Barrier(MPI_COMM_WORLD);
}

static void roots(void) {
  int v = rank;
  MPI_Bcast(&v, 1, MPI_INT, rank == size - 1 ? 1 : 0, MPI_COMM_WORLD); /* collective/root */
}

/* Rank 0 takes two messages from anybody: the short one of the last rank comes first if it is
   ordered so, or by luck. */
static void race(int ordered) {
  int v[2] = {0, 0};
  if (rank == 0)
    MPI_Recv(v, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* race */
  if (rank == size - 1) MPI_Send(v, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  if (ordered) {
    MPI_Reduce(&v[0], &v[1], 1, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1) MPI_Ssend(v, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Recv(v, 1, MPI_INT, size - 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    sleep(1);
  }
  if (rank == 1) MPI_Send(v, 2, MPI_INT, 0, 8, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(v, 2, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The first and the last rank write the same bytes of a file; with what is needed in between, or
   without. */
static void file(int synced) {
  MPI_File f;
  char name[] = "/tmp/vouch-nodes-file-XXXXXX";
  if (rank == 0) close(mkstemp(name));
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  if (rank == 0) MPI_File_write_at(f, 0, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  if (synced) {
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(f);
  }
  if (rank == size - 1) MPI_File_write_at(f, 0, &rank, 1, MPI_INT, MPI_STATUS_IGNORE); /* file */
  MPI_File_close(&f);
  if (rank == 0) unlink(name);
}

/* The library waits forever in calls that do not belong together. */
static void mixed(void) {
  int v = rank;
  if (rank == size - 1)
    MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD); /* collective/mismatch */
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

static void crash(void) {
  if (rank == size - 1) *(volatile int*)8 = 1;
  MPI_Barrier(MPI_COMM_WORLD);
}

/* It is gone without a word, while the others talk. */
static void killed(void) {
  int v = 0;
  for (int i = 0; i < 200; ++i) {
    if (i == 100 && rank == 2) raise(SIGKILL);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &v, 1, MPI_INT, (rank + size - 1) % size,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* MPI_Finalize calls it: all ranks are there for a while, long after the start. */
static int linger(MPI_Comm comm, int key, void* value, void* state) {
  usleep(300000);
  return MPI_SUCCESS;
}

static void late(void) {
  int key = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, linger, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  sleep(11);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "ok";
  if (strcmp(what, "tardy") == 0) be_tardy();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "d1") == 0 && (rank == 0 || rank == size - 1)) recv_recv(0, size - 1);
  if (strcmp(what, "d2") == 0) potential();
  if (strcmp(what, "d3") == 0) knot();
  if (strcmp(what, "d4") == 0) finished();
  if (strcmp(what, "d5") == 0) barrier_recv();
  if (strcmp(what, "d6") == 0) part();
  if (strcmp(what, "ok") == 0) fine(argc > 2 ? atoi(argv[2]) : 100);
  if (strcmp(what, "wrong") == 0) wrong();
  if (strcmp(what, "types") == 0) types();
  if (strcmp(what, "lost") == 0) lost_message();
  if (strcmp(what, "roots") == 0) roots();
  if (strcmp(what, "race") == 0) race(0);
  if (strcmp(what, "ordered") == 0) race(1);
  if (strcmp(what, "file") == 0) file(0);
  if (strcmp(what, "synced") == 0) file(1);
  if (strcmp(what, "mixed") == 0) mixed();
  if (strcmp(what, "crash") == 0) crash();
  if (strcmp(what, "killed") == 0) killed();
  if (strcmp(what, "late") == 0) late();
  if (strcmp(what, "busy") == 0 || strcmp(what, "tardy") == 0) busy(argc > 2 ? atof(argv[2]) : 1);
  if (strcmp(what, "slow") == 0) {
    for (int i = 0; i < 100; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      usleep(50000);
    }
    if (rank == 0) printf("went on to the end\n");
    fflush(stdout);
  }
  MPI_Finalize();
  if (strcmp(what, "outlives") == 0 && rank == size - 1) {
    sleep(13); /* longer than a launcher may leave a dead child alone */
    printf("went on to the end\n");
  }
  return 0;
}
