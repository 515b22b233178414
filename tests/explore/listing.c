// Runs a program that is given as text, so that many small programs need one executable.
//
//     listing "s>1 b | ir*:0#1 b r*:0 w#1 | b s>1"
//
// Ranks are separated by |, operations by blanks:
//   s>1:7 S>1:7      send, synchronous send to rank 1 with tag 7 (no tag: 0)
//   is>1:7#2 iS>1#2  the same without waiting; its number is 2
//   r<1:7 r*:*       receive from 1, from any with any tag; ir*#2 only posts it
//   R*#2 st#2        makes a persistent receive; starts it
//   p*:7 pr*:7       probe; probe, then receive what it saw; ip, ipr ask until there is something
//   m*:7             matched probe and receive
//   w#2 w#2,3        wait for these; wa#2,3 MPI_Waitall; wy#2,3 MPI_Waitany until all are done;
//                    ws#2,3 MPI_Waitsome likewise; t, ta, ty, ts: tests, until all are done
//   rest2,3          receives from ranks 1 and 2 until three have come from each
//   y0,1,5,6         sends to 0, with tag 5 if the latest receive came from rank 1, otherwise 6
//   b bc0 rd0 sc ar  barrier, broadcast and reduction with root 0, scan, allreduce; an e in front:
//                    without data (ebc0, erd0, esc, ear)
//   av1,0,1          allgather of one element of each rank that has a 1, none of the others
//   pc1              MPI_Pcontrol(1)
//   f2               fails (exit status 1) if the latest receive came from rank 2
// What ends with /1 or /2 is done on a duplicate of the world.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64, kComms = 3 };
static MPI_Request requests[kMost];
static int values[kMost], persistent[kMost], came[kMost];  // came: from whom, how often
static MPI_Comm comms[kComms];
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

// "2,3" after `at`; gives how many.
static int numbers(const char* at, int* list) {
  int n = 0;
  do list[n++] = number(&at, 0);
  while (*at++ == ',' && n < kMost);
  return n;
}

static void got(const MPI_Status* status) {
  if (status->MPI_SOURCE < 0) return;
  latest = status->MPI_SOURCE;
  ++came[latest % kMost];
}

// w, wa, wy, ws, t, ta, ty, ts
static void complete(const char* word) {
  int list[kMost], indices[kMost], done = 0, index;
  const int n = numbers(strchr(word, '#') + 1, list), tests = word[0] == 't';
  MPI_Request mine[kMost];
  MPI_Status status, statuses[kMost];
  for (int i = 0; i < n; ++i) mine[i] = requests[list[i]];
  switch (word[1]) {
    case 'a':
      if (!tests) MPI_Waitall(n, mine, statuses);
      while (tests && !done) MPI_Testall(n, mine, &done, statuses);
      break;
    case 'y':
      for (int i = 0; i < n; i += done) {
        done = 1;
        if (tests)
          MPI_Testany(n, mine, &index, &done, &status);
        else
          MPI_Waitany(n, mine, &index, &status);
        if (done) got(&status);
      }
      break;
    case 's':
      for (int left = n; left > 0; left -= done)
        (tests ? MPI_Testsome : MPI_Waitsome)(n, mine, &done, indices, statuses);
      break;
    default:
      for (int i = 0; i < n; ++i) {
        if (!tests) MPI_Wait(&mine[i], &status);
        for (done = 0; tests && !done;) MPI_Test(&mine[i], &done, &status);
        got(&status);
      }
  }
  for (int i = 0; i < n; ++i) requests[list[i]] = mine[i];
}

static void probe(const char* kind, int peer, int tag, MPI_Comm comm, int* value) {
  MPI_Status status;
  MPI_Message message;
  if (kind[0] == 'm') {
    MPI_Mprobe(peer, tag, comm, &message, &status);
    MPI_Mrecv(value, 1, MPI_INT, &message, &status);
    got(&status);
    return;
  }
  if (kind[0] == 'i')
    for (int seen = 0; !seen;) MPI_Iprobe(peer, tag, comm, &seen, &status);
  else
    MPI_Probe(peer, tag, comm, &status);
  if (!strchr(kind, 'r')) return;
  MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
  got(&status);
}

static void message(const char* word) {
  const int posts = *word == 'i';
  const char* at = word + strcspn(word, "<>*");
  char kind[8] = "";
  strncpy(kind, word, (size_t)(at - word) < 7 ? (size_t)(at - word) : 7);
  if (*at == '>' || *at == '<') ++at;
  const int peer = number(&at, MPI_ANY_SOURCE);
  int tag = 0, handle = 0, which = 0;
  if (*at == ':') tag = (++at, number(&at, MPI_ANY_TAG));
  if (*at == '#') handle = (++at, number(&at, 0));
  if (*at == '/') which = (++at, number(&at, 0));
  const MPI_Comm comm = comms[which % kComms];
  MPI_Request* request = &requests[handle % kMost];
  int* value = &values[handle % kMost];
  MPI_Status status;
  switch (kind[posts]) {
    case 's':
      MPI_Comm_rank(comm, value);
      if (posts)
        MPI_Isend(value, 1, MPI_INT, peer, tag, comm, request);
      else
        MPI_Send(value, 1, MPI_INT, peer, tag, comm);
      return;
    case 'S':
      MPI_Comm_rank(comm, value);
      if (posts)
        MPI_Issend(value, 1, MPI_INT, peer, tag, comm, request);
      else
        MPI_Ssend(value, 1, MPI_INT, peer, tag, comm);
      return;
    case 'r':
      if (posts) {
        MPI_Irecv(value, 1, MPI_INT, peer, tag, comm, request);
      } else {
        MPI_Recv(value, 1, MPI_INT, peer, tag, comm, &status);
        got(&status);
      }
      return;
    case 'R':
      MPI_Recv_init(value, 1, MPI_INT, peer, tag, comm, request);
      persistent[handle % kMost] = 1;
      return;
    case 'p':
    case 'm':
      probe(kind, peer, tag, comm, value);
      return;
    default:
      fail(word);
  }
}

// One operation.
static void perform(const char* word) {
  int in = 0, out = 0, list[kMost];
  const int empty = *word == 'e';
  if (!strcmp(word, "b")) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strncmp(word, "av", 2)) {
    int size, rank, places[kMost] = {0}, all[kMost];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (numbers(word + 2, list) != size) fail(word);
    for (int i = 1; i < size; ++i) places[i] = places[i - 1] + list[i - 1];
    MPI_Allgatherv(&in, list[rank], MPI_INT, all, list, places, MPI_INT, MPI_COMM_WORLD);
  } else if (!strncmp(word + empty, "bc", 2)) {
    MPI_Bcast(&out, !empty, MPI_INT, atoi(word + empty + 2), MPI_COMM_WORLD);
  } else if (!strncmp(word + empty, "rd", 2)) {
    MPI_Reduce(&in, &out, !empty, MPI_INT, MPI_SUM, atoi(word + empty + 2), MPI_COMM_WORLD);
  } else if (!strcmp(word + empty, "sc")) {
    MPI_Scan(&in, &out, !empty, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strcmp(word + empty, "ar")) {
    MPI_Allreduce(&in, &out, !empty, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strncmp(word, "pc", 2)) {
    MPI_Pcontrol(atoi(word + 2));
  } else if (!strncmp(word, "st#", 3)) {
    MPI_Start(&requests[atoi(word + 3) % kMost]);
  } else if (!strncmp(word, "rest", 4)) {
    numbers(word + 4, list);
    for (int s = 1; s <= list[0]; ++s)
      for (; came[s] < list[1]; ++came[s])
        MPI_Recv(&out, 1, MPI_INT, s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (*word == 'y') {
    numbers(word + 1, list);
    MPI_Send(&in, 1, MPI_INT, list[0], latest == list[1] ? list[2] : list[3], MPI_COMM_WORLD);
  } else if (*word == 'f') {
    if (latest == atoi(word + 1)) exit(1);
  } else if (*word == 'w' || *word == 't') {
    complete(word);
  } else {
    message(word);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kMost; ++i) requests[i] = MPI_REQUEST_NULL;
  char* text = argc > 1 ? argv[1] : "";
  comms[0] = MPI_COMM_WORLD;
  const int more = strchr(text, '/') ? kComms : 1;
  for (int i = 1; i < more; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int r = 0; r < rank && text; ++r) text = strchr(text, '|') ? strchr(text, '|') + 1 : NULL;
  char mine[4096] = "";
  if (text) strncpy(mine, text, sizeof(mine) - 1);
  if (strchr(mine, '|')) *strchr(mine, '|') = 0;
  for (char* word = strtok(mine, " "); word; word = strtok(NULL, " ")) perform(word);
  for (int i = 0; i < kMost; ++i)
    if (persistent[i]) MPI_Request_free(&requests[i]);
  for (int i = 1; i < more; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
