// The bytes of a layout in ascending order, each once: what two of them share is found by leaping
// from one to the other, so it costs the pieces that lie in between and not those that are there.
//
// A layout is in the order of its type map, in which pieces may lie anywhere. An ascent is a tree
// whose parts are apart and follow each other. Loops stay loops: those that are nested the other
// way round, as for the columns of a matrix, are turned. Only parts that are really interleaved are
// unrolled.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/layout.h"

namespace vouch {

struct Ascent;
using AscentRef = std::shared_ptr<const Ascent>;

struct Ascent {
  struct Part {
    std::int64_t offset;
    AscentRef ascent;
  };
  // One of three: pieces that are never adjacent; parts; one part, n times.
  std::vector<Interval> pieces;
  std::vector<Part> parts;
  std::int64_t n = 1, stride = 0;
  std::int64_t lo = 0, hi = 0;
  std::int64_t bytes = 0;      // each counted once
  std::uint64_t size = 0;      // pieces, written out
  std::uint64_t unrolled = 0;  // of them, those that are here
  bool twice = false;          // the layout touches some byte more than once
  // Every piece begins at a multiple of it from `lo`, and is a multiple of it long. 0: no piece.
  std::int64_t grid = 0;
};

// nullptr: no bytes, or more interleaved pieces than `most`; then `over` is set.
AscentRef ascent_of(const LayoutRef&, bool& over, std::uint64_t most = std::uint64_t{1} << 22);

// The first piece that ends behind `from`; false: there is none.
bool next_piece(const Ascent&, std::int64_t base, std::int64_t from, Interval& piece);

// Pieces of the two that share a byte, in order: f(piece of a, piece of b) returns false to stop.
// The result is false if more than `most` steps were needed.
template <typename F>
bool for_each_shared(const Ascent& a, std::int64_t base_a, const Ascent& b, std::int64_t base_b,
                     F&& f, std::uint64_t most = std::uint64_t{1} << 24) {
  Interval x, y;
  if (!next_piece(a, base_a, base_b + b.lo, x) || !next_piece(b, base_b, x.lo, y)) return true;
  while (most-- > 0) {
    if (x.hi <= y.lo) {
      if (!next_piece(a, base_a, y.lo, x)) return true;
    } else if (y.hi <= x.lo) {
      if (!next_piece(b, base_b, x.lo, y)) return true;
    } else {
      if (!f(x, y)) return true;
      const bool first = x.hi <= y.hi;
      if (first ? !next_piece(a, base_a, x.hi, x) : !next_piece(b, base_b, y.hi, y)) return true;
    }
  }
  return false;
}

}  // namespace vouch
