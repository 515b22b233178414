// Rank 0 takes two messages of each other rank, in the way that the first argument names, and
// prints in which order: "order: 1 2 2 1". Nothing but the schedule decides it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH 2

static int size, total;
static MPI_Comm comm;
static int order[64], taken;

static void note(const MPI_Status* status, int value) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  if (count != 1 || value != status->MPI_SOURCE * 100 + status->MPI_TAG) {
    printf("wrong: value %d, source %d, tag %d, count %d\n", value, status->MPI_SOURCE,
           status->MPI_TAG, count);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  order[taken++] = status->MPI_SOURCE;
}

static void receive(void) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, &status);
  note(&status, value);
}

static void any_tag(void) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  note(&status, value);
}

static void ignored(void) {  // the status is of no use: the value tells the source
  int value;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE);
  order[taken++] = value / 100;
}

static void probe(void) {
  int value;
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
  note(&status, value);
}

static void iprobe(void) {
  int value, flag = 0;
  MPI_Status status;
  while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 7, comm, &flag, &status);
  MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
  note(&status, value);
}

static void mprobe(void) {
  int value;
  MPI_Message message;
  MPI_Status status;
  MPI_Mprobe(MPI_ANY_SOURCE, 7, comm, &message, &status);
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  note(&status, value);
}

static void improbe(void) {
  int value, flag = 0;
  MPI_Message message;
  MPI_Status status;
  while (!flag) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, &status);
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  note(&status, value);
}

static void sendrecv(void) {
  int value, out = 1;
  MPI_Status status;
  MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm,
               &status);
  note(&status, value);
}

static void in_turn(void (*take)(void)) {
  while (taken < total) take();
}

static void irecv_all(void) {
  MPI_Request requests[64];
  MPI_Status statuses[64];
  int values[64];
  for (int i = 0; i < total; ++i)
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, &requests[i]);
  MPI_Waitall(total, requests, statuses);
  for (int i = 0; i < total; ++i) note(&statuses[i], values[i]);
}

static void persistent(int all) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int values[2];
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < 2; ++i)
    MPI_Recv_init(&values[i], 1, type, MPI_ANY_SOURCE, 7, comm, &requests[i]);
  MPI_Type_free(&type);
  while (taken < total) {
    if (all) {
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, statuses);
    } else {
      MPI_Start(&requests[0]);
      MPI_Start(&requests[1]);
      MPI_Wait(&requests[0], &statuses[0]);
      int flag = 0;
      while (!flag) MPI_Test(&requests[1], &flag, &statuses[1]);
    }
    note(&statuses[0], values[0]);
    note(&statuses[1], values[1]);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

// From named sources: which is complete first is what the schedule decides.
static void complete(const char* how) {
  MPI_Request requests[64];
  MPI_Status statuses[64];
  int values[64], indices[64], flag, index, count;
  for (int i = 0; i < total; ++i)
    MPI_Irecv(&values[i], 1, MPI_INT, 1 + i / EACH, 7, comm, &requests[i]);
  while (taken < total) {
    count = 1;
    if (!strcmp(how, "waitany")) {
      MPI_Waitany(total, requests, &indices[0], &statuses[0]);
    } else if (!strcmp(how, "testany")) {
      for (flag = 0; !flag;) MPI_Testany(total, requests, &indices[0], &flag, &statuses[0]);
    } else if (!strcmp(how, "waitsome")) {
      MPI_Waitsome(total, requests, &count, indices, statuses);
    } else if (!strcmp(how, "testsome")) {
      for (count = 0; count == 0;) MPI_Testsome(total, requests, &count, indices, statuses);
    } else {  // test: each in its turn until one is complete
      for (flag = 0, index = -1; !flag;) {
        index = (index + 1) % total;
        if (requests[index] != MPI_REQUEST_NULL) MPI_Test(&requests[index], &flag, &statuses[0]);
      }
      indices[0] = index;
    }
    for (int k = 0; k < count; ++k) note(&statuses[k], values[indices[k]]);
  }
  MPI_Waitany(total, requests, &index, &statuses[0]);
  if (index != MPI_UNDEFINED) MPI_Abort(MPI_COMM_WORLD, 4);
}

// A receive that is cancelled takes nothing, although messages that fit it are there.
static void cancelled(void) {
  MPI_Request request;
  MPI_Status status;
  int value, no = -1;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 99, comm, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &no);
  if (!no) MPI_Abort(MPI_COMM_WORLD, 5);
  in_turn(receive);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* how = argc > 1 ? argv[1] : "recv";
  comm = MPI_COMM_WORLD;
  const int inter = !strcmp(how, "inter");
  if (inter) {  // rank 0 alone on one side: its sources are ranks of the other side
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 3, &comm);
    MPI_Comm_free(&half);
  }
  total = EACH * (size - 1);
  if (rank > 0) {
    int me = inter ? rank - 1 : rank;
    for (int i = 0; i < EACH; ++i) {
      int value = me * 100 + 7;
      MPI_Send(&value, 1, MPI_INT, 0, 7, comm);
    }
  } else if (!strcmp(how, "recv") || inter) {
    in_turn(receive);
  } else if (!strcmp(how, "anytag")) {
    in_turn(any_tag);
  } else if (!strcmp(how, "ignored")) {
    in_turn(ignored);
  } else if (!strcmp(how, "probe")) {
    in_turn(probe);
  } else if (!strcmp(how, "iprobe")) {
    in_turn(iprobe);
  } else if (!strcmp(how, "mprobe")) {
    in_turn(mprobe);
  } else if (!strcmp(how, "improbe")) {
    in_turn(improbe);
  } else if (!strcmp(how, "sendrecv")) {
    in_turn(sendrecv);
  } else if (!strcmp(how, "irecv")) {
    irecv_all();
  } else if (!strcmp(how, "start")) {
    persistent(0);
  } else if (!strcmp(how, "startall")) {
    persistent(1);
  } else if (!strcmp(how, "cancelled")) {
    cancelled();
  } else {
    complete(how);
  }
  if (rank == 0) {
    printf("order:");
    for (int i = 0; i < taken; ++i) printf(" %d", order[i]);
    printf("\n");
  }
  if (inter) MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
