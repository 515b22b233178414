#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum {
  kPut = 1,  // worker to server: a unit
  kTaken,    // server to worker: it has come
  kGet,      // worker to server: wants a unit
  kUnit,     // server to worker: a unit, or that there is none any more
  kSteal,    // server to server: wants a unit
  kLoot,     // server to server: a unit, or that there is none now
  kHint,     // server to server: there is work here
  kToken,    // server to server: whether somebody had work
  kDone      // server to server: there is none any more
};
enum { kNone = -1, kMostUnits = 256, kPolls = 2 };

struct pool {
  MPI_Comm comm;
  int rank, size, servers;
  enum pool_bug bug;
  // of a server
  pool_unit queue[kMostUnits];
  int queued;
  int parked[64];  // workers that wait, the oldest first
  int waiting;
  int stealing;  // another server was asked
  MPI_Request answer;
  pool_unit loot;
  int refused, owes_hint;  // by the next one, to the one before
  int has_token, token, rounds, black, done;
};

int pool_workers(const pool* p) { return p->size - p->servers; }
int pool_is_server(const pool* p) { return p->rank >= pool_workers(p); }
static int home_of(const pool* p, int worker) { return pool_workers(p) + worker % p->servers; }
static int next_of(const pool* p) {
  const int first = pool_workers(p);
  return first + (p->rank - first + 1) % p->servers;
}
static int before(const pool* p) {
  const int first = pool_workers(p);
  return first + (p->rank - first + p->servers - 1) % p->servers;
}
static int own_workers(const pool* p) {
  int n = 0;
  for (int w = 0; w < pool_workers(p); ++w) n += home_of(p, w) == p->rank;
  return n;
}

pool* pool_open(MPI_Comm comm, int servers, enum pool_bug bug) {
  pool* p = calloc(1, sizeof(*p));
  MPI_Comm_dup(comm, &p->comm);
  MPI_Comm_rank(p->comm, &p->rank);
  MPI_Comm_size(p->comm, &p->size);
  p->servers = servers;
  p->bug = bug;
  p->answer = MPI_REQUEST_NULL;
  p->has_token = p->rank == pool_workers(p);  // the first server begins
  p->black = 1;
  return p;
}

void pool_close(pool* p) {
  MPI_Comm_free(&p->comm);
  free(p);
}

// ---- workers ----
void pool_put(pool* p, const pool_unit* unit, int server) {
  const int to = server < 0 ? home_of(p, p->rank) : pool_workers(p) + server % p->servers;
  int nothing;
  MPI_Request both[2];
  MPI_Irecv(&nothing, 0, MPI_INT, to, kTaken, p->comm, &both[0]);
  MPI_Isend(unit, sizeof(*unit), MPI_BYTE, to, kPut, p->comm, &both[1]);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

int pool_get(pool* p, pool_unit* unit) {
  MPI_Status status;
  MPI_Send(NULL, 0, MPI_INT, home_of(p, p->rank), kGet, p->comm);
  for (int there = 0, i = 0; !there && i < kPolls; ++i)
    MPI_Iprobe(MPI_ANY_SOURCE, kUnit, p->comm, &there, &status);
  MPI_Recv(unit, sizeof(*unit), MPI_BYTE, MPI_ANY_SOURCE, kUnit, p->comm, &status);
  return unit->kind != kNone;
}

// ---- servers ----
static void enqueue(pool* p, const pool_unit* unit) {
  int at = p->queued++;
  if (at >= kMostUnits) MPI_Abort(p->comm, 3);
  for (; at > 0 && p->queue[at - 1].kind > unit->kind; --at) p->queue[at] = p->queue[at - 1];
  p->queue[at] = *unit;
}

static void give(pool* p, int worker, const pool_unit* unit) {
  MPI_Send(unit, sizeof(*unit), MPI_BYTE, worker, kUnit, p->comm);
}

static int unpark(pool* p) {
  const int worker = p->parked[0];
  memmove(p->parked, p->parked + 1, (size_t)--p->waiting * sizeof(p->parked[0]));
  return worker;
}

// A unit has come: to a worker that waits, or to the others.
static void arrived(pool* p, const pool_unit* unit) {
  p->black = 1;
  if (p->bug == kLostWake && p->stealing) {
    enqueue(p, unit);
  } else if (p->waiting > 0) {
    give(p, unpark(p), unit);
    if (p->bug == kForgotten) p->stealing = 0;  // what was asked for is not needed any more
  } else {
    enqueue(p, unit);
    if (p->owes_hint) MPI_Send(NULL, 0, MPI_INT, before(p), kHint, p->comm);
    p->owes_hint = 0;
  }
}

static void on_put(pool* p, int worker) {
  pool_unit unit;
  MPI_Recv(&unit, sizeof(unit), MPI_BYTE, worker, kPut, p->comm, MPI_STATUS_IGNORE);
  arrived(p, &unit);
  MPI_Send(NULL, 0, MPI_INT, worker, kTaken, p->comm);
}

static void on_get(pool* p, int worker) {
  MPI_Recv(NULL, 0, MPI_INT, worker, kGet, p->comm, MPI_STATUS_IGNORE);
  p->black = 1;
  if (p->queued > 0)
    give(p, worker, &p->queue[--p->queued]);
  else
    p->parked[p->waiting++] = worker;
}

static void on_steal(pool* p, int server) {
  MPI_Recv(NULL, 0, MPI_INT, server, kSteal, p->comm, MPI_STATUS_IGNORE);
  pool_unit unit = {.kind = kNone};
  if (p->queued > 0) {
    unit = p->queue[p->queued - 1];
    if (p->bug != kTwice || p->queued > 1) --p->queued;
    p->black = 1;
  } else {
    p->owes_hint = 1;
  }
  MPI_Send(&unit, sizeof(unit), MPI_BYTE, server, kLoot, p->comm);
}

static void steal(pool* p) {
  if (p->answer != MPI_REQUEST_NULL && p->bug != kForgotten) return;
  p->stealing = 1;
  MPI_Irecv(&p->loot, sizeof(p->loot), MPI_BYTE, next_of(p), kLoot, p->comm, &p->answer);
  MPI_Send(NULL, 0, MPI_INT, next_of(p), kSteal, p->comm);
}

// True if the answer has come.
static int answered(pool* p) {
  int there = 0;
  if (!p->stealing) return 0;
  MPI_Test(&p->answer, &there, MPI_STATUS_IGNORE);
  if (!there) return 0;
  p->stealing = 0;
  if (p->loot.kind != kNone)
    arrived(p, &p->loot);
  else
    p->refused = 1;
  return 1;
}

static int passive(const pool* p) {
  return p->waiting == own_workers(p) && p->queued == 0 && !p->stealing;
}

static void finish(pool* p) {
  const pool_unit none = {.kind = kNone};
  while (p->waiting > 0) give(p, unpark(p), &none);
  p->done = 1;
}

// Passes the token on; the first server decides when it has come around.
static void pass_token(pool* p) {
  const int first = p->rank == pool_workers(p);
  if (first) {
    p->rounds = p->token || p->black ? 0 : p->rounds + 1;
    if (p->rounds == 2 || p->servers == 1) {
      for (int s = 1; s < p->servers; ++s)
        MPI_Send(NULL, 0, MPI_INT, p->rank + s, kDone, p->comm);
      finish(p);
      return;
    }
    p->token = 0;
  }
  int token = first ? 0 : p->token || p->black;
  p->black = 0;
  p->has_token = 0;
  MPI_Send(&token, 1, MPI_INT, next_of(p), kToken, p->comm);
}

// What can be done without a message; true: something was.
static int work_alone(pool* p) {
  if (answered(p)) return 1;
  if (p->waiting > 0 && p->queued == 0 && !p->stealing && !p->refused && p->servers > 1) {
    steal(p);
    return 1;
  }
  if (p->has_token && passive(p)) {
    pass_token(p);
    return 1;
  }
  return 0;
}

static void handle(pool* p, const MPI_Status* seen) {
  const int from = seen->MPI_SOURCE;
  switch (seen->MPI_TAG) {
    case kPut:
      on_put(p, from);
      break;
    case kGet:
      on_get(p, from);
      break;
    case kSteal:
      on_steal(p, from);
      break;
    case kHint:
      MPI_Recv(NULL, 0, MPI_INT, from, kHint, p->comm, MPI_STATUS_IGNORE);
      p->refused = 0;
      break;
    case kToken:
      MPI_Recv(&p->token, 1, MPI_INT, from, kToken, p->comm, MPI_STATUS_IGNORE);
      p->has_token = 1;
      break;
    case kDone:
      MPI_Recv(NULL, 0, MPI_INT, from, kDone, p->comm, MPI_STATUS_IGNORE);
      finish(p);
      break;
    case kLoot:  // answered() takes it
      break;
    default:
      MPI_Abort(p->comm, 4);
  }
}

void pool_serve(pool* p) {
  while (!p->done) {
    MPI_Status seen;
    int there = 0;
    for (int i = 0; !there && i < kPolls; ++i)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, p->comm, &there, &seen);
    if (!there) {
      if (work_alone(p)) continue;
      if (p->stealing) continue;  // the answer has a receive of its own, which no probe sees
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, p->comm, &seen);
    }
    handle(p, &seen);
    answered(p);
  }
}
