// Where the bytes of a datatype lie: a tree of loops over blocks.
//
// Its size follows the constructors, never the counts. Offsets are relative to the buffer; holes
// are in no block.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace vouch {

struct Layout;
using LayoutRef = std::shared_ptr<const Layout>;

struct Layout {
  enum class What : std::uint8_t { block, loop, seq };
  struct Part {
    std::int64_t offset;
    LayoutRef layout;
  };
  What what = What::block;
  std::int64_t length = 0;         // block: bytes [0, length)
  std::int64_t n = 0, stride = 0;  // loop: body at 0, stride, …, (n-1)·stride
  std::vector<Part> parts;         // loop: one, the body; seq: in order of the type map
  std::int64_t lo = 0, hi = 0;     // bounds of the bytes
  std::int64_t bytes = 0;          // sum of block lengths (bytes touched twice count twice)
  std::uint64_t blocks = 1;        // intervals that for_each_interval gives at most
};

// All return nullptr (no bytes) where nothing is left.
LayoutRef block_of(std::int64_t length);
LayoutRef loop_of(std::int64_t n, std::int64_t stride, const Layout::Part& body);
LayoutRef sequence_of(std::vector<Layout::Part>);

struct Interval {
  std::int64_t lo, hi;  // [lo, hi)
  bool operator==(const Interval&) const = default;
};

// Intervals in the order of the type map, neighbours joined; f returns false to stop. False:
// stopped.
template <typename F>
bool for_each_interval(const LayoutRef& layout, std::int64_t base, F&& f) {
  if (layout == nullptr) return true;
  Interval open{0, 0};
  const auto walk = [&](const auto& self, const Layout& l, std::int64_t at) -> bool {
    switch (l.what) {
      case Layout::What::block:
        if (open.hi == at && open.lo != open.hi) {
          open.hi += l.length;
          return true;
        }
        if (open.lo != open.hi && !f(open)) return false;
        open = {at, at + l.length};
        return true;
      case Layout::What::loop:
        for (std::int64_t i = 0; i < l.n; ++i) {
          if (!self(self, *l.parts[0].layout, at + l.parts[0].offset + i * l.stride)) return false;
        }
        return true;
      default:
        for (const Layout::Part& p : l.parts) {
          if (!self(self, *p.layout, at + p.offset)) return false;
        }
        return true;
    }
  };
  if (!walk(walk, *layout, base)) return false;
  return open.lo == open.hi || f(open);
}

// Bytes of `count` elements of a type at `base`, as one layout: count is a loop of `extent`.
LayoutRef buffer_layout(const LayoutRef& type, std::int64_t extent, std::int64_t count);

enum class Overlap : std::uint8_t { no, yes, over_budget };

}  // namespace vouch
