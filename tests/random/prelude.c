// What the random programs share. One job runs several of them, one after the other.
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;

// Does the library see the layout as the generator does?
#define CHECK_TYPE(type, bytes, low, length)                             \
  do {                                                                   \
    int size_;                                                           \
    MPI_Aint low_, length_;                                              \
    MPI_Type_size(type, &size_);                                         \
    MPI_Type_get_true_extent(type, &low_, &length_);                     \
    if (size_ != (bytes) || low_ != (low) || length_ != (length)) {      \
      fprintf(stderr, "line %d: %s has another layout\n", __LINE__, #type); \
      abort();                                                           \
    }                                                                    \
  } while (0)

// It combines nothing: what it leaves is as good a result as any.
static void user_op(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)in, (void)inout, (void)length, (void)type;
}

static void on_error(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

static int grequest_query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int grequest_free(void* state) { return (void)state, MPI_SUCCESS; }
static int grequest_cancel(void* state, int complete) {
  return (void)state, (void)complete, MPI_SUCCESS;
}

// A file of this job; ranks that open one together give the same first rank.
static const char* path(const char* name, int first) {
  static char text[4096];
  const char* folder = getenv("RANDOM_FOLDER");
  snprintf(text, sizeof text, "%s/%s.%d", folder ? folder : ".", name, first);
  return text;
}
