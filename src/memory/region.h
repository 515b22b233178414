// The bytes that one side of a call touches, and whether two such sets meet.
//
// A region is `n` copies of a layout, `stride` apart: an element of a datatype each. A dense one is
// a plain range of bytes, which is all that most programs have. The bounds settle most questions;
// the rest is decided on the trees of loops, which are not unrolled: two loops of one stride are
// compared by the differences of their indices, so faces of one array cost a few steps whatever
// their size. What that does not settle is decided on the pieces in ascending order (ascent.h),
// which are kept for each type.

#pragma once

#include <cstdint>
#include <vector>

#include "model/ascent.h"
#include "model/datatype.h"

namespace vouch {

struct Region {
  std::int64_t lo = 0, hi = 0;  // bounds; a dense region is exactly this
  bool writes = false;
  std::int8_t param = -1;   // the buffer it belongs to
  std::int32_t block = -1;  // of a v- or w-collective
  TypeRef type;             // nullptr: dense
  std::int64_t at = 0;      // address of the first element
  std::int64_t n = 1;       // elements
  bool dense() const { return type == nullptr; }
  bool empty() const { return lo >= hi; }
};

// `n` elements of a type at an address. Empty if there are no bytes.
Region region_of(const TypeRef&, std::int64_t at, std::int64_t n);
// Whether the elements lie side by side without holes.
inline bool is_dense(const Type& type, std::int64_t n) {
  const Layout* l = type.layout.get();
  if (l == nullptr) return true;
  if (l->what == Layout::What::seq && l->parts.size() == 1) l = l->parts[0].layout.get();
  return l->what == Layout::What::block && (n == 1 || type.extent() == l->length);
}

inline bool bounds_meet(const Region& a, const Region& b) { return a.lo < b.hi && b.lo < a.hi; }

// Compares regions; keeps what was expensive to find out.
class RegionTest {
 public:
  static constexpr std::uint64_t kMostPairs =
      100000;  // regions of one call that are compared [U59]

  // Whether they share a byte.
  Overlap meet(const Region& a, const Region& b) {
    if (!bounds_meet(a, b)) return Overlap::no;
    if (a.dense() && b.dense()) return Overlap::yes;
    return meet_exactly(a, b);
  }
  // Whether `n` elements of a type touch a byte twice.
  Overlap twice(const TypeRef&, std::int64_t n);
  // Whether they share a byte that lies in different elements of the two: all are of `size` bytes.
  Overlap displaced(const Region& a, const Region& b, std::int64_t size);
  // The pieces of a region that is not dense; nullptr: too many of them.
  const Ascent* ascent(const Region&);

 private:
  Overlap meet_exactly(const Region& a, const Region& b);

  static constexpr std::size_t kKept = 64;
  struct Pair {
    TypeRef a, b;
    std::int64_t na = 0, nb = 0, distance = 0;
    Overlap answer = Overlap::no;
  };
  struct Self {
    TypeRef type;
    std::int64_t n = 0;
    Overlap answer = Overlap::no;
  };
  struct Rising {
    TypeRef type;
    std::int64_t n = 0;
    AscentRef ascent;  // nullptr: too many pieces
  };
  static constexpr std::uint64_t kMostPieces = std::uint64_t{1} << 23;  // in all ascents
  const Ascent* ascent(const TypeRef&, std::int64_t n);
  template <typename F>
  bool for_each_shared(const Region& a, const Region& b, F&& f);

  std::vector<Pair> pairs_;  // of comparisons that the trees do not settle
  std::vector<Self> selves_;
  std::vector<Rising> rising_;
  std::uint64_t pieces_ = 0;
};

// For messages: bytes that both touch; -1: too many pieces to count.
std::int64_t shared_bytes(const Region& a, const Region& b);
// Bytes written more than once, counted each time; -1: too many pieces.
std::int64_t repeated_bytes(const TypeRef&, std::int64_t n);

}  // namespace vouch
