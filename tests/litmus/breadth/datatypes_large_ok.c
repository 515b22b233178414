// Every constructor of datatypes with large counts.
// vouch: run -n 2
// requires: large-count
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, data[64], got[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; ++i) data[i] = i;
  const MPI_Count lengths[] = {1, 2}, places[] = {3, 6}, bytes[] = {8, 24};
  const MPI_Count sizes[] = {4, 8}, subsizes[] = {2, 3}, starts[] = {1, 2};
  const MPI_Datatype members[] = {MPI_INT, MPI_INT};
  const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
  const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {2, 1};
  MPI_Datatype t[11];
  MPI_Type_contiguous_c(4, MPI_INT, &t[0]);
  MPI_Type_vector_c(2, 1, 3, MPI_INT, &t[1]);
  MPI_Type_create_hvector_c(2, 1, 16, MPI_INT, &t[2]);
  MPI_Type_indexed_c(2, lengths, places, MPI_INT, &t[3]);
  MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_INT, &t[4]);
  MPI_Type_create_indexed_block_c(2, 2, places, MPI_INT, &t[5]);
  MPI_Type_create_hindexed_block_c(2, 2, bytes, MPI_INT, &t[6]);
  MPI_Type_create_struct_c(2, lengths, bytes, members, &t[7]);
  MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t[8]);
  MPI_Type_create_darray_c(2, 1, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &t[9]);
  MPI_Type_create_resized_c(MPI_INT, 0, 32, &t[10]);
  const int last[] = {3, 3, 4, 7, 7, 7, 7, 7, 20, 31, 0};
  for (int i = 0; i < 11; ++i) {
    MPI_Type_commit(&t[i]);
    MPI_Count size, lb, extent, true_lb, true_extent;
    MPI_Type_size_c(t[i], &size);
    MPI_Type_get_extent_c(t[i], &lb, &extent);
    MPI_Type_get_true_extent_c(t[i], &true_lb, &true_extent);
    CHECK(size % 4 == 0 && true_lb >= lb && true_lb + true_extent <= lb + extent);
    memset(got, 255, sizeof(got));
    MPI_Sendrecv(data, 1, t[i], 1 - rank, i, got, 1, t[i], 1 - rank, i, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(got[last[i]] == last[i]);
  }
  MPI_Count integers, addresses, counts, subtypes;
  int combiner;
  MPI_Type_get_envelope_c(t[4], &integers, &addresses, &counts, &subtypes, &combiner);
  CHECK(combiner == MPI_COMBINER_HINDEXED && subtypes == 1);
  int i_array[16];
  MPI_Aint a_array[16];
  MPI_Count c_array[16];
  MPI_Datatype d_array[1];
  MPI_Type_get_contents_c(t[4], integers, addresses, counts, subtypes, i_array, a_array, c_array,
                          d_array);
  CHECK(d_array[0] == MPI_INT);
  for (int i = 0; i < 11; ++i) MPI_Type_free(&t[i]);
  MPI_Finalize();
  return 0;
}
