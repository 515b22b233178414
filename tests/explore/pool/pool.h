// A pool of work that is shared by all ranks of a communicator: workers put units of work into it
// and get them back, in whatever order; servers keep them and take from each other what they lack.
//
// The last `servers` ranks serve (pool_serve), the others work. Each worker has a home server. A
// unit that is put goes to the worker's home, or to whichever server was named; a worker that gets
// waits until there is a unit, or until there will never be one: all workers wait and no unit is
// left anywhere. That is found out by the servers: a token goes around among them, and comes back
// white twice only if nobody had work or gave any away meanwhile.
//
// Made to be explored: every server receives from anybody, by MPI_Iprobe loops and MPI_Probe,
// several kinds of messages at once.

#ifndef POOL_H
#define POOL_H

#include <mpi.h>

enum { kPoolBytes = 48 };

typedef struct {
  int kind;  // the higher, the sooner it is given out
  int bytes;
  char data[kPoolBytes];
} pool_unit;

// What is wrong with it on purpose.
enum pool_bug {
  kSound,
  kLostWake,   // a unit that comes while the server asks others for work wakes nobody
  kTwice,      // a unit that is asked for by another server and a worker goes to both
  kForgotten,  // a hint that came with a late answer is never completed: a request is left
};

typedef struct pool pool;

// Collective. bug: one of the above.
pool* pool_open(MPI_Comm comm, int servers, enum pool_bug bug);
int pool_is_server(const pool*);
int pool_workers(const pool*);
// Until there will be no more work.
void pool_serve(pool*);
void pool_put(pool*, const pool_unit*, int server);  // -1: the home server
int pool_get(pool*, pool_unit*);                     // 0: there will be none any more
// Collective; after pool_serve and a pool_get that gave none.
void pool_close(pool*);

#endif
