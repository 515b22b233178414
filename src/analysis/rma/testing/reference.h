// Which calls of a program race, by the plain way: every access is a set of bytes with the points
// where it starts and ends, every order an edge of one graph, and every pair of accesses is looked
// at. Shares nothing with the analysis.
//
// MPI-4.1 12.7: two accesses to a byte race if one of them writes, MPI does not allow them
// together, locks do not keep them apart, and neither is complete before the other starts. Order
// through memory counts wherever it is possible: a call that fetches what another has written may
// have come after it.

#pragma once

#include <set>
#include <string>
#include <utility>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

// Sites, the lesser first.
using Pair = std::pair<std::string, std::string>;
std::set<Pair> races(const Program&);
// Of accesses that MPI does not allow together, how many pairs are kept apart by what.
struct Judged {
  std::set<Pair> races;
  int by_locks = 0;   // that exclude each other
  int by_order = 0;   // by the order of calls alone
  int by_memory = 0;  // or through memory
};
Judged judge(const Program&);
std::string print(const std::set<Pair>&);  // "a b\n"

}  // namespace vouch::rma_programs
