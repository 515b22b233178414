// Accesses to memory that can be part of a race with one-sided communication: what they are, and
// which of them may meet [W7].
//
// The matrix is MPI-4.1 12.7's table, refined by who touches what: each operation reads or writes
// at its origin and at its target. Reads may meet reads. Updates (accumulates) may meet if MPI
// promises each of them to be atomic: they are of one basic type, and of one operation, or one is
// MPI_NO_OP or MPI_Compare_and_swap. What is atomic is the element: two updates that meet in parts
// of different elements are not (`displaced`).
//
// Misses: a compare and swap against another operation than MPI_REPLACE or MPI_NO_OP.

#pragma once

#include <cstdint>

#include "event/proc.h"

namespace vouch::rma {

enum class Touches : std::uint8_t {
  origin_read,   // by Put, Accumulate …: the caller's memory, until complete at the origin
  origin_write,  // by Get, results
  target_read,   // Get
  target_write,  // Put
  update,        // accumulates, at the target
  call_read,     // buffers of messages, collectives, files
  call_write,
  load,  // the program itself
  store,
  atomic_load,
  atomic_store,
};

struct AccessSort {
  Touches what = Touches::load;
  Constant op = Constant::none;     // update: of MPI_Compare_and_swap none
  Constant basic = Constant::none;  // update: predefined type; none: not known
  std::int32_t element = 0;         // bytes of that type; 0: it is not known to be one piece
};

constexpr bool at_target(Touches t) {
  return t == Touches::target_read || t == Touches::target_write || t == Touches::update;
}
constexpr bool at_origin(Touches t) {
  return t == Touches::origin_read || t == Touches::origin_write;
}
constexpr bool one_sided(Touches t) { return at_target(t) || at_origin(t); }
constexpr bool of_call(Touches t) { return t == Touches::call_read || t == Touches::call_write; }
constexpr bool native(Touches t) { return !one_sided(t) && !of_call(t); }
constexpr bool atomic(Touches t) {
  return t == Touches::update || t == Touches::atomic_load || t == Touches::atomic_store;
}
constexpr bool writes(const AccessSort& t) {
  switch (t.what) {
    case Touches::origin_write:
    case Touches::target_write:
    case Touches::call_write:
    case Touches::store:
    case Touches::atomic_store:
      return true;
    case Touches::update:
      return t.op != Constant::no_op;
    default:
      return false;
  }
}

// Whether MPI lets two updates of one location happen at once.
constexpr bool together(const AccessSort& a, const AccessSort& b) {
  if (a.basic != b.basic && a.basic != Constant::none && b.basic != Constant::none) return false;
  return a.op == b.op || a.op == Constant::no_op || b.op == Constant::no_op ||
         a.op == Constant::none || b.op == Constant::none;
}

// Who the two are to each other.
struct Relation {
  bool same_process = false;
  bool same_window = false;  // by which they are made: what MPI promises of updates holds in one
  bool ordered_updates = false;  // of one origin in that window (MPI-4.1 12.7.2)
  bool one_operation = false;    // that window promises accumulate_ops=same_op (MPI-4.1 12.2.1)
};

constexpr bool breaks_promise(const AccessSort& a, const AccessSort& b) {
  return a.op != b.op && a.op != Constant::none && b.op != Constant::none;
}

// Two unordered accesses to one byte must not both be there.
constexpr bool conflict(const AccessSort& a, const AccessSort& b, Relation r) {
  if (!writes(a) && !writes(b)) return false;
  if (r.same_process) {
    if (native(a.what) && native(b.what)) return false;
    // Another rule judges these (buffer/pending-overlap).
    if (of_call(a.what) && of_call(b.what)) return false;
  }
  if (a.what == Touches::update && b.what == Touches::update) {
    if (!r.same_window) return true;
    if (r.same_process && r.ordered_updates &&
        (a.basic == b.basic || a.basic == Constant::none || b.basic == Constant::none))
      return false;
    return !together(a, b) || (r.one_operation && breaks_promise(a, b));
  }
  return !(atomic(a.what) && atomic(b.what));
}

// Two updates that are no conflict where they name the same elements may be one where they do not.
// Those of one origin are ordered also where they overlap in part (MPI-4.1 12.7.2).
constexpr bool may_be_displaced(const AccessSort& a, const AccessSort& b, Relation r) {
  return a.what == Touches::update && b.what == Touches::update && (writes(a) || writes(b)) &&
         a.element > 1 && a.basic == b.basic && !(r.same_process && r.ordered_updates);
}

}  // namespace vouch::rma
