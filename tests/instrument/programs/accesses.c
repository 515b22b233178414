/* Loads and stores of watched memory of every kind, with arrays of every kind. A line of output names
   each array and where it lies; the test knows which bytes of it are read and written. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
static double global[N];
struct point {
  float x;
  int unused;
  double y;
};

static void show(int rank, const char* name, const void* at) {
  if (rank == 0) printf("array %s %p\n", name, (void*)at);
}

int main(int argc, char** argv) {
  int rank;
  double local[N], sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* heap = malloc(N * sizeof(double));
  double* other = malloc(N * sizeof(double));
  double* unwatched = malloc(N * sizeof(double));
  struct point* points;
  atomic_int* flag;
  MPI_Win of_heap, of_global, of_points, of_flag;
  for (int i = 0; i < N; i++) heap[i] = other[i] = local[i] = i; /* not watched yet */
  MPI_Win_create(heap, N * sizeof(double), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &of_heap);
  MPI_Win_create(global, sizeof(global), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &of_global);
  MPI_Win_allocate(N * sizeof(struct point), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &points, &of_points);
  MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &of_flag);
  show(rank, "heap", heap);
  show(rank, "global", global);
  show(rank, "points", points);
  show(rank, "flag", flag);
  show(rank, "local", local);
  show(rank, "unwatched", unwatched);

  for (int i = 0; i < N; i++) heap[i] = 2.0 * i + rank; /* all written */
  for (int i = 0; i < N; i += 2) sum += heap[i];        /* every other one read */
  memcpy(global + 100, other, (size_t)(300 + argc) * sizeof(double)); /* argc is 1 */
  memset(points, 0, N * sizeof(struct point) / (size_t)argc);
  for (int i = 0; i < N; i++) points[i].y = i;
  for (int i = N; i-- > 0;) sum += points[i].x;
  for (int i = 0; i < N; i++) unwatched[i] = sum;
  atomic_store(flag, 1);
  atomic_fetch_add(flag, 2);
  sum += atomic_load(flag);
  MPI_Barrier(MPI_COMM_WORLD);

  /* The buffer of a pending send may be read. */
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(local + 10, 100, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 200; i++) sum += local[i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(other, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < N; i++) local[i] += unwatched[i]; /* no more */
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %.17g %.17g %.17g\n", rank, sum, local[N / 2], global[120]);

  MPI_Win_free(&of_heap);
  MPI_Win_free(&of_global);
  MPI_Win_free(&of_points);
  MPI_Win_free(&of_flag);
  for (int i = 0; i < N; i++) heap[i] = 0; /* no more */
  free(heap);
  free(other);
  free(unwatched);
  MPI_Finalize();
}
