// What is known of Cartesian, graph and distributed graph topologies.
// vouch: run -n 4
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, n, place, dims[] = {2, 2}, periods[] = {1, 0}, coords[2], d[2], p[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm grid, graph, spread;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cartdim_get(grid, &n);
  CHECK(n == 2);
  MPI_Cart_get(grid, 2, d, p, coords);
  CHECK(d[0] == 2 && p[0] == 1 && p[1] == 0 && coords[0] == rank / 2 && coords[1] == rank % 2);
  MPI_Cart_coords(grid, 3, 2, coords);
  CHECK(coords[0] == 1 && coords[1] == 1);
  MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &place);
  CHECK(place >= 0 && place < 4);

  const int index[] = {1, 3, 5, 6}, edges[] = {1, 0, 2, 1, 3, 2};  // a line of four
  MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
  int nodes, count, all_index[4], all_edges[6], near[2];
  MPI_Graphdims_get(graph, &nodes, &count);
  CHECK(nodes == 4 && count == 6);
  MPI_Graph_get(graph, 4, 6, all_index, all_edges);
  CHECK(all_index[3] == 6 && all_edges[5] == 2);
  MPI_Graph_neighbors_count(graph, rank, &n);
  CHECK(n == (rank == 0 || rank == 3 ? 1 : 2));
  MPI_Graph_neighbors(graph, rank, n, near);
  CHECK(near[0] == (rank == 0 ? 1 : rank - 1));
  MPI_Graph_map(MPI_COMM_WORLD, 4, index, edges, &place);
  CHECK(place >= 0 && place < 4);

  // A ring, of which each process tells its own edge.
  const int degrees[] = {1}, next[] = {(rank + 1) % 4}, weights[] = {rank + 1};
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, degrees, next, weights, MPI_INFO_NULL, 0,
                        &spread);
  int in, out, weighted, from[1], to[1], in_weight[1], out_weight[1];
  MPI_Dist_graph_neighbors_count(spread, &in, &out, &weighted);
  CHECK(in == 1 && out == 1 && weighted);
  MPI_Dist_graph_neighbors(spread, 1, from, in_weight, 1, to, out_weight);
  CHECK(from[0] == (rank + 3) % 4 && to[0] == next[0] && out_weight[0] == rank + 1);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&spread);
  MPI_Finalize();
  return 0;
}
