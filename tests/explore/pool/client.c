// Counts the leaves of a tree with a pool of work: a unit is a number; one below two is a leaf, any
// other gives two more units. What the workers have counted is known beforehand.
//
//     client [SERVERS [ROOTS [DEPTH [BUG]]]]     BUG: wake, twice, forgotten
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

static int leaves(int n) { return n < 2 ? 1 : leaves(n - 1) + leaves(n - 2); }

static void put(pool* p, int n, int server) {
  pool_unit unit = {.kind = n, .bytes = sizeof(n)};
  memcpy(unit.data, &n, sizeof(n));
  pool_put(p, &unit, server);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int servers = argc > 1 ? atoi(argv[1]) : 2, roots = argc > 2 ? atoi(argv[2]) : 2;
  const int depth = argc > 3 ? atoi(argv[3]) : 2;
  const char* bug = argc > 4 ? argv[4] : "";
  int rank, counted = 0, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pool* p = pool_open(MPI_COMM_WORLD, servers,
                      !strcmp(bug, "wake")        ? kLostWake
                      : !strcmp(bug, "twice")     ? kTwice
                      : !strcmp(bug, "forgotten") ? kForgotten
                                                  : kSound);
  if (pool_is_server(p)) {
    pool_serve(p);
  } else {
    pool_unit unit;
    if (rank < roots) put(p, depth, -1);
    while (pool_get(p, &unit)) {
      int n;
      memcpy(&n, unit.data, sizeof(n));
      if (n < 2) {
        ++counted;
      } else {
        put(p, n - 1, -1);
        put(p, n - 2, n);  // somewhere else
      }
    }
  }
  pool_close(p);
  MPI_Reduce(&counted, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  const int wrong = rank == 0 && all != roots * leaves(depth);
  if (wrong) fprintf(stderr, "%d leaves, not %d\n", all, roots * leaves(depth));
  MPI_Finalize();
  return wrong;
}
