// Calls whose results clocks in messages must not change: every line that is printed is the same
// with and without them. Two ranks.
//
//     carried PART [PART...]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
enum { kTag = 5 };

static void say(const char* what, long a, long b, long c) {
  if (rank == 0) printf("%s: %ld %ld %ld\n", what, a, b, c);
}

static void say_status(const char* what, MPI_Status* s, MPI_Datatype type, long value) {
  int count = -1, elements = -1;
  MPI_Get_count(s, type, &count);
  MPI_Get_elements(s, type, &elements);
  if (rank == 0)
    printf("%s: from %d tag %d count %d elements %d value %ld\n", what, s->MPI_SOURCE, s->MPI_TAG,
           count, elements, value);
}

// Fewer than there is room for, more than there is room for, nothing at all.
static void lengths(void) {
  int numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, room[10] = {0};
  MPI_Status status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 1) {
    MPI_Send(numbers, 3, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    MPI_Send(numbers, 10, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    MPI_Send(numbers, 7, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(room, 10, MPI_INT, 1, kTag, MPI_COMM_WORLD, &status);
    say_status("short", &status, MPI_INT, room[2]);
    int class = -1;
    const int rc = MPI_Recv(room, 2, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
    MPI_Error_class(rc, &class);
    say("too long", class == MPI_ERR_TRUNCATE, room[2], 0);
    MPI_Recv(NULL, 0, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say_status("nothing", &status, MPI_INT, 0);
    MPI_Recv(room, 10, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &status);
    say_status("no whole number of them", &status, MPI_INT, 0);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void probes(void) {
  double numbers[5] = {1, 2, 3, 4, 5};
  MPI_Status status;
  if (rank == 1) {
    for (int n = 1; n <= 4; ++n) MPI_Send(numbers, n, MPI_DOUBLE, 0, kTag, MPI_COMM_WORLD);
    return;
  }
  for (int n = 1; n <= 4; ++n) {
    int count = 0, flag = n % 2;
    MPI_Message message;
    if (n == 1) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    while (n == 2 && !flag) MPI_Iprobe(1, kTag, MPI_COMM_WORLD, &flag, &status);
    if (n == 3) MPI_Mprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &message, &status);
    while (n == 4 && !flag) MPI_Improbe(1, kTag, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    double* exact = malloc(sizeof(double) * (count > 0 ? count : 1));
    MPI_Request request;
    if (n < 3) MPI_Recv(exact, count, MPI_DOUBLE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (n == 3) MPI_Mrecv(exact, count, MPI_DOUBLE, &message, &status);
    if (n == 4) {
      MPI_Imrecv(exact, count, MPI_DOUBLE, &message, &request);
      MPI_Wait(&request, &status);
    }
    say_status("probed", &status, MPI_DOUBLE, (long)exact[count - 1]);
    free(exact);
  }
}

static void modes(void) {
  int value = rank + 10, got = -1, size, bytes;
  MPI_Request request;
  MPI_Status status;
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
  size = 3 * (size + MPI_BSEND_OVERHEAD);
  void *buffer = malloc(size), *back = NULL;
  MPI_Buffer_attach(buffer, size);
  if (rank == 1) {
    for (int i = 0; i < 3; ++i) {
      value = i;
      MPI_Bsend(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Ssend(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    MPI_Issend(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    long sum = 0;
    for (int i = 0; i < 5; ++i) {
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      sum = 10 * sum + got;
    }
    MPI_Irecv(&got, 1, MPI_INT, 1, kTag, MPI_COMM_WORLD, &request);
    MPI_Send(NULL, 0, MPI_INT, 1, kTag, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    say_status("modes", &status, MPI_INT, sum);
  }
  MPI_Buffer_detach(&back, &bytes);
  say("buffer", back == buffer, bytes == size, 0);
  free(buffer);
}

// Places that are no simple buffers, and partners that are none.
static void places(void) {
  struct {
    char c;
    int i;
    double d[3];
  } thing = {'a' + rank, 7 + rank, {rank, 2, 3}}, other = {0};
  MPI_Datatype type, types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE}, every_other;
  int ones[] = {1, 1, 1}, columns[12] = {0};
  MPI_Aint at[3];
  MPI_Status status;
  MPI_Get_address(rank ? &thing.c : &other.c, &at[0]);
  MPI_Get_address(rank ? &thing.i : &other.i, &at[1]);
  MPI_Get_address(rank ? &thing.d[1] : &other.d[1], &at[2]);
  MPI_Type_create_struct(3, ones, at, types, &type);
  MPI_Type_commit(&type);
  if (rank)
    MPI_Send(MPI_BOTTOM, 1, type, 0, kTag, MPI_COMM_WORLD);
  else
    MPI_Recv(MPI_BOTTOM, 1, type, 1, kTag, MPI_COMM_WORLD, &status);
  say("bottom", other.c, other.i, (long)other.d[1]);
  if (!rank) say_status("bottom", &status, type, 0);
  MPI_Type_free(&type);

  MPI_Type_vector(4, 1, 3, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  for (int i = 0; rank && i < 12; ++i) columns[i] = i;
  MPI_Request request;
  if (rank) {
    MPI_Isend(columns, 1, every_other, 0, kTag, MPI_COMM_WORLD, &request);
    MPI_Type_free(&every_other);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(columns, 1, every_other, 1, kTag, MPI_COMM_WORLD, &request);
    MPI_Type_free(&every_other);
    MPI_Wait(&request, &status);
    say("holes", columns[9], columns[1], columns[11]);
  }
  MPI_Send(columns, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD);
  MPI_Recv(columns, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status);
  if (!rank) say_status("nobody", &status, MPI_INT, status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Probe(MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status);
  if (!rank) say_status("nobody probed", &status, MPI_INT, 0);
}

static void exchanges(void) {
  int mine[4] = {rank, rank + 1, rank + 2, rank + 3}, got[6] = {0}, flag = 0;
  const int other = 1 - rank;
  MPI_Status status;
  MPI_Sendrecv(mine, 2 + rank, MPI_INT, other, kTag, got, 6, MPI_INT, MPI_ANY_SOURCE, kTag,
               MPI_COMM_WORLD, &status);
  if (!rank) say_status("sendrecv", &status, MPI_INT, got[2]);
  MPI_Sendrecv_replace(mine, 4, MPI_INT, other, kTag, other, kTag, MPI_COMM_WORLD, &status);
  if (!rank) say_status("replace", &status, MPI_INT, mine[3]);
  MPI_Sendrecv(mine, 1, MPI_INT, rank ? MPI_PROC_NULL : 1, kTag, got, 6, MPI_INT,
               rank ? 0 : MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status);
  if (!rank) say_status("half", &status, MPI_INT, 0);
  MPI_Request requests[2];
  MPI_Irecv(got, 6, MPI_INT, rank, kTag, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(mine, 4, MPI_INT, rank, kTag, MPI_COMM_WORLD);
  while (!flag) MPI_Request_get_status(requests[0], &flag, &status);
  if (!rank) say_status("self, asked", &status, MPI_INT, 0);
  MPI_Wait(&requests[0], &status);
  if (!rank) say_status("self", &status, MPI_INT, got[3]);
  MPI_Irecv(got, 6, MPI_INT, other, 99, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  say("cancelled", flag, 0, 0);
#if MPI_VERSION >= 4
  MPI_Isendrecv(mine, 3, MPI_INT, other, kTag, got, 6, MPI_INT, other, kTag, MPI_COMM_WORLD,
                &requests[0]);
  MPI_Wait(&requests[0], &status);
  say("isendrecv", got[2], 0, 0);  // MPICH 4.0 fills no status here
  MPI_Isendrecv_replace(mine, 4, MPI_INT, other, kTag, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD,
                        &requests[0]);
  MPI_Wait(&requests[0], &status);
  say("isendrecv_replace", mine[3], 0, 0);
  if (rank)
    MPI_Send_c(mine, 4, MPI_INT, 0, kTag, MPI_COMM_WORLD);
  else
    MPI_Recv_c(got, 6, MPI_INT, 1, kTag, MPI_COMM_WORLD, &status);
  if (!rank) say_status("large", &status, MPI_INT, got[3]);
#endif
}

// Every way to see requests complete, and persistent ones.
static void requests(void) {
  enum { kMany = 40 };
  int values[kMany], indices[kMany], index, flag, done, n = 0;
  MPI_Request all[kMany];
  MPI_Status statuses[kMany], status;
  for (int way = 0; way < 8; ++way) {
    long sum = 0, lengths = 0;
    for (int i = 0; i < kMany; ++i) {
      values[i] = rank ? i : -1;
      if (rank)
        MPI_Isend(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &all[i]);
      else
        MPI_Irecv(&values[i], 1, MPI_INT, i % 3 ? MPI_ANY_SOURCE : 1, i, MPI_COMM_WORLD, &all[i]);
    }
    switch (way) {
      case 0:
        MPI_Waitall(kMany, all, statuses);
        break;
      case 1:
        MPI_Waitall(kMany, all, MPI_STATUSES_IGNORE);
        break;
      case 2:
        for (flag = 0; !flag;) MPI_Testall(kMany, all, &flag, statuses);
        break;
      case 3:
        for (int i = 0; i < kMany; ++i) {
          MPI_Waitany(kMany, all, &index, &status);
          statuses[index] = status;
        }
        break;
      case 4:
        for (int i = 0; i < kMany; i += flag) {
          MPI_Testany(kMany, all, &index, &flag, &status);
          if (flag) statuses[index] = status;
        }
        break;
      case 5:
      case 6:
        for (int left = kMany; left > 0; left -= done) {
          MPI_Status some[kMany];
          (way == 5 ? MPI_Waitsome : MPI_Testsome)(kMany, all, &done, indices, some);
          for (int i = 0; i < done; ++i) statuses[indices[i]] = some[i];
        }
        break;
      default:
        for (int i = 0; i < kMany; ++i)
          for (flag = 0; !flag;) MPI_Test(&all[i], &flag, &statuses[i]);
    }
    for (int i = 0; i < kMany; ++i) {
      sum += values[i];
      if (way != 1 && !rank) MPI_Get_count(&statuses[i], MPI_INT, &n);
      lengths += n;
    }
    say("requests", way, sum, lengths);
  }
  MPI_Request kept;
  int value = -1;
  if (rank)
    MPI_Send_init(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD, &kept);
  else
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &kept);
  for (int i = 0; i < 3; ++i) {
    if (rank) value = 100 + i;
    if (i)
      MPI_Startall(1, &kept);
    else
      MPI_Start(&kept);
    MPI_Wait(&kept, &status);
    if (!rank) say_status("persistent", &status, MPI_INT, value);
  }
  MPI_Request_free(&kept);
}

static void together(void) {
  int in = rank + 1, out = 0, all[4] = {0}, ones[2] = {1, 1}, places[2] = {0, 1},
      two[2] = {rank, 5};
  int first[2] = {1, 0}, none[2] = {0, 0};
  MPI_Request requests[3];
  MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(&in, &all[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(&in, &all[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(&in, 1, MPI_INT, 1, MPI_COMM_WORLD);
  say("reduced", out, all[0], in);
  MPI_Gatherv(&two[1], rank == 0, MPI_INT, all, first, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Alltoallv(two, ones, places, MPI_INT, all, ones, places, MPI_INT, MPI_COMM_WORLD);
  say("alltoallv", all[0], all[1], 0);
  MPI_Alltoallv(two, none, places, MPI_INT, all, none, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce_scatter(two, &out, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scatterv(two, ones, places, MPI_INT, &in, 1, MPI_INT, 1, MPI_COMM_WORLD);
  say("parts", out, in, 0);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(two, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibcast(&in, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  say("at once", all[0], all[1], in);
  MPI_Comm half, twin;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Comm_dup(half, &twin);
  MPI_Allreduce(&rank, &out, 1, MPI_INT, MPI_SUM, twin);
  MPI_Sendrecv(&in, 1, MPI_INT, 0, kTag, &all[3], 1, MPI_INT, 0, kTag, twin, MPI_STATUS_IGNORE);
  say("alone", out, all[3] == in, 0);
  MPI_Comm_free(&half);
  MPI_Comm_free(&twin);
}

// Between two groups nothing carries a clock; nor does what files need.
static void elsewhere(void) {
  MPI_Comm half, between;
  int value = 40 + rank, got = 0;
  MPI_Status status;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 1, &between);
  MPI_Sendrecv(&value, 1, MPI_INT, 0, kTag, &got, 1, MPI_INT, MPI_ANY_SOURCE, kTag, between,
               &status);
  if (!rank) say_status("between", &status, MPI_INT, got);
  MPI_Message message;
  MPI_Request request;
  MPI_Isend(&value, 1, MPI_INT, 0, kTag, between, &request);
  MPI_Mprobe(0, kTag, between, &message, &status);
  MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!rank) say_status("between, probed", &status, MPI_INT, got);
  MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, between);
  say("between", got, 0, 0);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, "carried.data",
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                    &file) == MPI_SUCCESS) {
    int block[64];
    for (int i = 0; i < 64; ++i) block[i] = 1000 * rank + i;
    MPI_File_write_at_all(file, 256 * rank, block, 64, MPI_INT, &status);
    if (!rank) say_status("written", &status, MPI_INT, 0);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, 256 * (1 - rank), block, 64, MPI_INT, &status);
    if (!rank) say_status("read", &status, MPI_INT, block[63]);
    MPI_File_close(&file);
  }
}

static const struct {
  const char* name;
  void (*part)(void);
} parts[] = {{"lengths", lengths},   {"probes", probes},       {"modes", modes},
             {"places", places},     {"exchanges", exchanges}, {"requests", requests},
             {"together", together}, {"elsewhere", elsewhere}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; ++i)
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); ++k)
      if (!strcmp(argv[i], parts[k].name)) {
        parts[k].part();
        MPI_Barrier(MPI_COMM_WORLD);
      }
  MPI_Finalize();
  return 0;
}
