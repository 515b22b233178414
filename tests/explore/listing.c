// Runs a program that is given as text, so that many small programs need one executable.
//
//     listing "s>1 b | ir*:0#1 b r*:0 w#1 | b s>1"
//
// Ranks are separated by |, operations by blanks:
//   s>1:7 S>1:7      send, synchronous send to rank 1 with tag 7 (no tag: 0)
//   is>1:7#2 iS>1#2  the same without waiting; its number is 2
//   r<1:7 r*:*       receive from 1, from any with any tag; ir*#2 only posts it
//   p*:7             probe; pr*:7 probe, then receive what it saw
//   w#2 w#2,3        wait for these; t#2 test until it is done; wa#2,3 MPI_Waitall; wy#2,3 MPI_Waitany
//                    until all are done; ws#2,3 MPI_Waitsome likewise
//   b bc0 rd0 sc ar  barrier, broadcast and reduction with root 0, scan, allreduce
//   pc1              MPI_Pcontrol(1)
//   f2               fails (exit status 1) if the latest receive came from rank 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64 };
static MPI_Request requests[kMost];
static int values[kMost];
static int latest = -1;

static void fail(const char* what) {
  fprintf(stderr, "listing: cannot read %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static int number(const char** at, int any) {
  if (**at == '*') {
    ++*at;
    return any;
  }
  char* end;
  const long value = strtol(*at, &end, 10);
  if (end == *at) fail(*at);
  *at = end;
  return (int)value;
}

static void several(const char* at, const char* how) {
  int list[kMost], n = 0;
  for (; *at == '#' || *at == ','; list[n++] = number(&at, 0)) ++at;
  MPI_Request mine[kMost];
  for (int i = 0; i < n; ++i) mine[i] = requests[list[i]];
  MPI_Status status, statuses[kMost];
  if (how[0] == 'w' && how[1] == '#') {
    for (int i = 0; i < n; ++i) {
      MPI_Wait(&mine[i], &status);
      if (status.MPI_SOURCE >= 0) latest = status.MPI_SOURCE;
    }
  } else if (how[0] == 't') {
    for (int i = 0; i < n; ++i)
      for (int done = 0; !done;) MPI_Test(&mine[i], &done, MPI_STATUS_IGNORE);
  } else if (how[1] == 'a') {
    MPI_Waitall(n, mine, statuses);
  } else if (how[1] == 'y') {
    for (int i = 0, index; i < n; ++i) MPI_Waitany(n, mine, &index, MPI_STATUS_IGNORE);
  } else {
    int indices[kMost];
    for (int left = n, done; left > 0; left -= done) MPI_Waitsome(n, mine, &done, indices, statuses);
  }
}

// One operation.
static void perform(const char* word) {
  const char* at = word;
  int in = 0, out = 0;
  if (*at == 'b' && at[1] == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strncmp(at, "bc", 2)) {
    MPI_Bcast(&out, 1, MPI_INT, atoi(at + 2), MPI_COMM_WORLD);
  } else if (!strncmp(at, "rd", 2)) {
    MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, atoi(at + 2), MPI_COMM_WORLD);
  } else if (!strcmp(at, "sc")) {
    MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strcmp(at, "ar")) {
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strncmp(at, "pc", 2)) {
    MPI_Pcontrol(atoi(at + 2));
  } else if (*at == 'f') {
    if (latest == atoi(at + 1)) exit(1);
  } else if (*at == 'w' || *at == 't') {
    several(strchr(at, '#'), at);
  } else {
    const int nonblocking = *at == 'i';
    at += nonblocking;
    const int probes = *at == 'p', receives = !probes || at[1] == 'r';
    const char kind = *at;
    at += 1 + (probes && receives);
    if (*at == '>' || *at == '<') ++at;
    const int peer = number(&at, MPI_ANY_SOURCE);
    int tag = 0, handle = 0;
    if (*at == ':') tag = (++at, number(&at, MPI_ANY_TAG));
    if (*at == '#') handle = (++at, number(&at, 0));
    MPI_Request* request = &requests[handle];
    int* value = &values[handle];
    MPI_Status status;
    if (kind == 's' || kind == 'S') {
      MPI_Comm_rank(MPI_COMM_WORLD, value);
      if (nonblocking)
        (kind == 's' ? MPI_Isend : MPI_Issend)(value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, request);
      else
        (kind == 's' ? MPI_Send : MPI_Ssend)(value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
    } else if (probes) {
      MPI_Probe(peer, tag, MPI_COMM_WORLD, &status);
      if (receives)
        MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    } else if (kind != 'r') {
      fail(word);
    } else if (nonblocking) {
      MPI_Irecv(value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, request);
    } else {
      MPI_Recv(value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &status);
      latest = status.MPI_SOURCE;
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kMost; ++i) requests[i] = MPI_REQUEST_NULL;
  char* text = argc > 1 ? argv[1] : "";
  for (int r = 0; r < rank && text; ++r) text = strchr(text, '|') ? strchr(text, '|') + 1 : NULL;
  char mine[4096] = "";
  if (text) strncpy(mine, text, sizeof(mine) - 1);
  if (strchr(mine, '|')) *strchr(mine, '|') = 0;
  for (char* word = strtok(mine, " "); word; word = strtok(NULL, " ")) perform(word);
  MPI_Finalize();
  return 0;
}
