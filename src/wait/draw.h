// Pictures of the aggregated wait-for graph.
//
// A node stands for all ranks that wait in one way, so the picture stays small however many ranks
// there are. draw_dot() is for Graphviz; draw_svg() needs nothing: the nodes stand on an
// ellipse.

#pragma once

#include <functional>
#include <string>

#include "wait/graph.h"

namespace vouch::wait {

using NameOf = std::function<std::string(const Label&)>;  // "MPI_Recv ring.c:31"

std::string draw_dot(const Snapshot&, const Verdict&, const Groups&, const NameOf&);
std::string draw_svg(const Snapshot&, const Verdict&, const Groups&, const NameOf&);

}  // namespace vouch::wait
