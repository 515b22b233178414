// Topologies: grids and graphs that do not fit their communicator, directions and coordinates
// outside.

#include <fmt/format.h>

#include "analysis/argument/checks.h"
#include "base/count_words.h"

namespace vouch {
namespace {

// Number of dimensions of a Cartesian communicator, -1 if its constructor was not seen.
int dimensions(const Communicator& comm) {
  if (comm.topology != Topology::cart) return -1;
  if (comm.dims.empty() && comm.made_by != Proc::cart_create && comm.made_by != Proc::cart_sub)
    return -1;
  return static_cast<int>(comm.dims.size());
}

// An endpoint of an edge: a node, or nobody.
bool is_node(const Checker& c, std::int64_t v, std::int64_t nodes) {
  return (v >= 0 && v < nodes) || v == wire::kProcNull ||
         is_library_value(c.process, Constant::proc_null, v);
}

// True if all is well.
bool nodes_in_range(Checker& c, int param, std::int64_t nodes, const char* of) {
  if (param < 0) return true;
  const ArrayView array = c.event.array(param);
  for (std::uint64_t i = 0; i < array.size(); ++i) {
    if (is_node(c, array[i], nodes)) continue;
    c.fire(Cause::topology_node, param, [&] {
      return fmt::format("{} is not a {} (there are {})", c.show(param, i, array[i]), of, nodes);
    });
    return false;
  }
  return true;
}

bool not_negative(Checker& c, int param) {
  if (param < 0 || c.value(param) >= 0) return true;
  c.fire(Cause::topology_negative, param,
         [&] { return fmt::format("{} is negative", c.show(param)); });
  return false;
}

}  // namespace

// MPI_Cart_create, MPI_Cart_map.
void check_cart(Checker& c, const Step& step) {
  const int ndims = c.info.first(Kind::ndims, Dir::in);
  const int dims = c.info.param(Arg::dims);
  if (ndims < 0 || dims < 0 || !not_negative(c, ndims)) return;
  const Communicator* comm = c.comm(step.other);
  const ArrayView dim = c.event.array(dims);
  std::int64_t grid = 1;
  for (std::uint64_t i = 0; i < dim.size(); ++i) {
    if (dim[i] <= 0) {
      c.fire(Cause::topology_negative, dims,
             [&] { return fmt::format("{} is not positive", c.show(dims, i, dim[i])); });
      return;
    }
    grid *= dim[i];
    if (grid > INT32_MAX) break;
  }
  if (comm && grid > comm->size) {
    c.fire(
        Rule::topology_size, dims,
        [&] {
          return fmt::format("a grid of {} does not fit into {}, size {}",
                             count_words(grid, "process", "processes"), c.name(*comm), comm->size);
        },
        c.origin(*comm));
  }
}

// MPI_Graph_create, MPI_Graph_map.
void check_graph(Checker& c, const Step& step) {
  const int nnodes = c.info.param(Arg::nnodes);
  const int index = c.info.param(Arg::index);
  const int edges = c.info.param(Arg::edges);
  if (nnodes < 0 || !not_negative(c, nnodes)) return;
  const std::int64_t n = c.value(nnodes);
  const Communicator* comm = c.comm(step.other);
  if (comm && n > comm->size) {
    c.fire(
        Cause::topology_graph, nnodes,
        [&] {
          return fmt::format("a graph of {} does not fit into {}, size {}", count_words(n, "node"),
                             c.name(*comm), comm->size);
        },
        c.origin(*comm));
    return;
  }
  if (index < 0) return;
  const ArrayView degree = c.event.array(index);
  for (std::uint64_t i = 0; i < degree.size(); ++i) {
    if (degree[i] >= (i == 0 ? 0 : degree[i - 1])) continue;
    c.fire(Cause::topology_index, index, [&] {
      return fmt::format("{} is less than the entry before it", c.show(index, i, degree[i]));
    });
    return;
  }
  nodes_in_range(c, edges, n, "node of the graph");
}

// MPI_Dist_graph_create, MPI_Dist_graph_create_adjacent.
void check_dist_graph(Checker& c, const Step& step) {
  const Communicator* comm = c.comm(step.other);
  for (const Arg name : {Arg::n, Arg::indegree, Arg::outdegree}) {
    if (!not_negative(c, c.info.param(name))) return;
  }
  if (const int degrees = c.info.param(Arg::degrees); degrees >= 0) {
    const ArrayView degree = c.event.array(degrees);
    for (std::uint64_t i = 0; i < degree.size(); ++i) {
      if (degree[i] >= 0) continue;
      c.fire(Cause::topology_negative, degrees,
             [&] { return fmt::format("{} is negative", c.show(degrees, i, degree[i])); });
      return;
    }
  }
  if (!comm) return;
  if (!nodes_in_range(c, c.info.param(Arg::sources), comm->size, "rank of the communicator"))
    return;
  nodes_in_range(c, c.info.param(Arg::destinations), comm->size, "rank of the communicator");
}

// MPI-4.1 8.5.2: the dimensions given must divide the number of nodes.
void check_dims_create(Checker& c, const Step&) {
  const int nnodes = c.info.param(Arg::nnodes);
  const int ndims = c.info.param(Arg::ndims);
  const int dims = c.info.param(Arg::dims);
  if (nnodes < 0 || ndims < 0 || dims < 0 || !not_negative(c, ndims)) return;
  const std::int64_t nodes = c.value(nnodes);
  if (nodes < 1 && c.value(ndims) > 0) {
    c.fire(Cause::topology_negative, nnodes,
           [&] { return fmt::format("{} is not positive", c.show(nnodes)); });
    return;
  }
  const ArrayView dim = c.event.array(dims);
  std::int64_t fixed = 1;
  bool open = dim.empty();
  for (std::uint64_t i = 0; i < dim.size(); ++i) {
    if (dim[i] < 0) {
      c.fire(Cause::topology_negative, dims,
             [&] { return fmt::format("{} is negative", c.show(dims, i, dim[i])); });
      return;
    }
    if (dim[i] == 0) {
      open = true;
    } else if (fixed <= INT32_MAX) {
      fixed *= dim[i];
    }
  }
  if (dim.empty() || (open ? nodes % fixed == 0 : nodes == fixed)) return;
  c.fire(Cause::topology_fixed, dims, [&] {
    return open
               ? fmt::format("the fixed dimensions multiply to {}, which does not divide nnodes={}",
                             fixed, nodes)
               : fmt::format("the fixed dimensions multiply to {}, not to nnodes={}", fixed, nodes);
  });
}

void check_direction(Checker& c, const Step& step) {
  const Communicator* comm = c.comm(step.other);
  const int n = comm ? dimensions(*comm) : -1;
  const std::int64_t v = c.value(step.param);
  if (n < 0 || (v >= 0 && v < n)) return;
  c.fire(
      Cause::topology_dimension, step.param,
      [&] {
        return fmt::format("{} is not a dimension of {}, ndims {}", c.show(step.param),
                           c.name(*comm), n);
      },
      c.origin(*comm));
}

// MPI_Cart_rank: in a dimension that is not periodic a coordinate must lie inside.
void check_coords(Checker& c, const Step& step) {
  const Communicator* comm = c.comm(step.other);
  if (!comm || dimensions(*comm) <= 0) return;
  const ArrayView coords = c.event.array(step.param);
  for (std::uint64_t i = 0; i < coords.size() && i < comm->dims.size(); ++i) {
    const bool periodic = i < comm->periods.size() && comm->periods[i];
    if (periodic || (coords[i] >= 0 && coords[i] < comm->dims[i])) continue;
    c.fire(
        Cause::topology_coordinate, step.param,
        [&] {
          return fmt::format(
              "{} is outside dimension {} of {}, which has 0..{} and is not periodic",
              c.show(step.param, i, coords[i]), i, c.name(*comm), comm->dims[i] - 1);
        },
        c.origin(*comm));
    return;
  }
}

// MPI_Cart_get, MPI_Cart_coords: what does not fit into the arrays is lost.
void check_maxdims(Checker& c, const Step& step) {
  const Communicator* comm = c.comm(step.other);
  const int n = comm ? dimensions(*comm) : -1;
  const std::int64_t v = c.value(step.param);
  if (v < 0 || v >= n) return;
  c.fire(
      Charge(Cause::topology_room, Severity::warning), step.param,
      [&] {
        return fmt::format("{} is less than the {} of {}", c.show(step.param),
                           count_words(n, "dimension"), c.name(*comm));
      },
      c.origin(*comm));
}

}  // namespace vouch
