#include "memory/region.h"

#include <algorithm>
#include <numeric>

#include "model/saturate.h"

namespace vouch {
namespace {

// Steps on the trees before a comparison is left to enumeration.
constexpr int kSteps = 4096;

// `n` copies of a layout; layout nullptr: of a block of `length` bytes.
struct Span {
  const Layout* layout;
  std::int64_t at, n, stride, length;
};

// Layout of the element behind leading shifts; a single copy of a loop becomes the loop itself. So
// a span of one copy is a block or a sequence. Strides become positive.
Span plain(Span s) {
  for (;;) {
    if (s.stride == 0) s.n = 1;
    if (s.layout == nullptr) break;
    const Layout& l = *s.layout;
    if (l.what == Layout::What::block) {
      s.layout = nullptr;
      s.length = l.length;
      break;
    }
    if (l.what == Layout::What::seq && l.parts.size() == 1) {
      s.at = add(s.at, l.parts[0].offset);
      s.layout = l.parts[0].layout.get();
      continue;
    }
    if (l.what != Layout::What::loop || s.n != 1) break;
    s = {l.parts[0].layout.get(), add(s.at, l.parts[0].offset), l.n, l.stride, 0};
  }
  if (s.n > 1 && s.stride < 0) {
    s.at = add(s.at, mul(s.n - 1, s.stride));
    s.stride = -s.stride;
  }
  return s;
}

std::int64_t body_lo(const Span& s) { return s.layout ? s.layout->lo : 0; }
std::int64_t body_hi(const Span& s) { return s.layout ? s.layout->hi : s.length; }
std::int64_t lo(const Span& s) { return add(s.at, body_lo(s)); }
std::int64_t hi(const Span& s) {
  return add(add(s.at, body_hi(s)), s.n > 1 ? mul(s.n - 1, s.stride) : 0);
}
std::int64_t extent(const Span& s) { return body_hi(s) - body_lo(s); }  // of one copy
Span copy_at(const Span& s, std::int64_t at) { return {s.layout, at, 1, 0, s.length}; }
Span part_of(const Span& s, const Layout::Part& p) {
  return {p.layout.get(), add(s.at, p.offset), 1, 0, 0};
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && a < 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

Overlap meet(Span a, Span b, int& steps);

// Copies of `a` whose bounds meet those of b, one by one.
Overlap each_copy(const Span& a, const Span& b, int& steps) {
  // Copy i covers [at + i·stride + lo, … + hi): it meets iff i·stride lies in (from, to).
  const std::int64_t from = lo(b) - a.at - body_hi(a), to = hi(b) - a.at - body_lo(a);
  const std::int64_t first = std::max<std::int64_t>(floor_div(from, a.stride) + 1, 0);
  const std::int64_t last = std::min(ceil_div(to, a.stride) - 1, a.n - 1);
  Overlap all = Overlap::no;
  for (std::int64_t i = first; i <= last; ++i) {
    const Overlap one = meet(copy_at(a, a.at + i * a.stride), b, steps);
    if (one == Overlap::yes) return one;
    if (one == Overlap::over_budget) all = one;
    if (steps <= 0) return Overlap::over_budget;
  }
  return all;
}

Overlap two_loops(const Span& a, const Span& b, int& steps) {
  const std::int64_t ahead = b.at - a.at;
  // Copies meet iff their distance, start of b's minus start of a's, lies in (least, most).
  const std::int64_t least = body_lo(a) - body_hi(b), most = body_hi(a) - body_lo(b);
  if (a.stride != b.stride) {
    // Distances are `ahead` plus multiples of the common divisor: is one of them inside?
    const std::int64_t g = std::gcd(a.stride, b.stride);
    const std::int64_t nearest = ahead + (floor_div(least - ahead, g) + 1) * g;
    if (nearest >= most) return Overlap::no;
    return a.stride > b.stride ? each_copy(a, b, steps) : each_copy(b, a, steps);
  }
  // Only the difference k of the two indices counts.
  const std::int64_t first = std::max(floor_div(least - ahead, a.stride) + 1, 1 - a.n);
  const std::int64_t last = std::min(ceil_div(most - ahead, a.stride) - 1, b.n - 1);
  Overlap all = Overlap::no;
  for (std::int64_t k = first; k <= last; ++k) {
    const Overlap one = meet(copy_at(a, a.at), copy_at(b, b.at + k * b.stride), steps);
    if (one == Overlap::yes) return one;
    if (one == Overlap::over_budget) all = one;
    if (steps <= 0) return Overlap::over_budget;
  }
  return all;
}

Overlap meet(Span a, Span b, int& steps) {
  if (--steps <= 0) return Overlap::over_budget;
  a = plain(a);
  b = plain(b);
  if (lo(a) >= hi(b) || lo(b) >= hi(a)) return Overlap::no;
  if (a.n > 1 && b.n > 1) return two_loops(a, b, steps);
  if (a.n > 1) return each_copy(a, b, steps);
  if (b.n > 1) return each_copy(b, a, steps);
  if (a.layout == nullptr && b.layout == nullptr) return Overlap::yes;
  if (a.layout == nullptr) std::swap(a, b);
  Overlap all = Overlap::no;
  for (const Layout::Part& p : a.layout->parts) {
    const Overlap one = meet(part_of(a, p), b, steps);
    if (one == Overlap::yes) return one;
    if (one == Overlap::over_budget) all = one;
    if (steps <= 0) return Overlap::over_budget;
  }
  return all;
}

Overlap twice(Span s, int& steps);

Overlap parts_twice(const Span& s, int& steps) {
  const std::vector<Layout::Part>& parts = s.layout->parts;
  bool rising = true;
  for (std::size_t i = 1; i < parts.size() && rising; ++i)
    rising = parts[i - 1].offset + parts[i - 1].layout->hi <= parts[i].offset + parts[i].layout->lo;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].layout->what != Layout::What::block) {
      const Overlap one = twice(part_of(s, parts[i]), steps);
      if (one != Overlap::no) return one;
    }
    for (std::size_t j = i + 1; j < parts.size() && !rising; ++j) {
      const Overlap one = meet(part_of(s, parts[i]), part_of(s, parts[j]), steps);
      if (one != Overlap::no) return one;
    }
  }
  return Overlap::no;
}

// over_budget as soon as steps run out: the caller enumerates then.
Overlap twice(Span s, int& steps) {
  if (--steps <= 0) return Overlap::over_budget;
  if (s.n > 1 && s.stride == 0) return Overlap::yes;
  // As plain(), but copies on top of each other are what is asked for.
  while (s.layout != nullptr) {
    const Layout& l = *s.layout;
    if (l.what == Layout::What::block) {
      s.length = l.length;
      s.layout = nullptr;
    } else if (l.what == Layout::What::seq && l.parts.size() == 1) {
      s.at = add(s.at, l.parts[0].offset);
      s.layout = l.parts[0].layout.get();
    } else if (l.what == Layout::What::loop && s.n == 1) {
      if (l.stride == 0) return Overlap::yes;
      s = {l.parts[0].layout.get(), add(s.at, l.parts[0].offset), l.n, l.stride, 0};
    } else {
      break;
    }
  }
  if (s.n == 1) return s.layout == nullptr ? Overlap::no : parts_twice(s, steps);
  const std::int64_t stride = s.stride < 0 ? -s.stride : s.stride;
  if (const Overlap one = twice(copy_at(s, s.at), steps); one != Overlap::no) return one;
  for (std::int64_t k = 1; k < s.n && k * stride < extent(s); ++k) {
    const Overlap one = meet(copy_at(s, s.at), copy_at(s, s.at + k * stride), steps);
    if (one != Overlap::no) return one;
  }
  return Overlap::no;
}

Span span_of(const Region& r) {
  if (r.dense()) return {nullptr, r.lo, 1, 0, r.hi - r.lo};
  return {r.type->layout.get(), r.at, r.n, r.type->extent(), 0};
}

std::int64_t base_of(const Region& r) { return r.dense() ? r.lo : r.at; }

std::size_t slot(const void* a, const void* b, std::int64_t x) {
  std::uint64_t h = reinterpret_cast<std::uintptr_t>(a) * 0x9e3779b97f4a7c15u;
  h = (h ^ reinterpret_cast<std::uintptr_t>(b)) * 0x9e3779b97f4a7c15u;
  h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(h >> 58);
}

// The pieces of a region; nullptr: too many of them.
AscentRef pieces_of(const Region& r) {
  bool over = false;
  if (r.dense()) return ascent_of(block_of(r.hi - r.lo), over);
  return ascent_of(buffer_layout(r.type->layout, r.type->extent(), r.n), over);
}

}  // namespace

Region region_of(const TypeRef& type, std::int64_t at, std::int64_t n) {
  Region r;
  if (n <= 0 || type == nullptr || type->layout == nullptr) return r;
  const std::int64_t reach = n > 1 ? mul(n - 1, type->extent()) : 0;
  r.lo = add(add(at, type->layout->lo), std::min<std::int64_t>(reach, 0));
  r.hi = add(add(at, type->layout->hi), std::max<std::int64_t>(reach, 0));
  if (r.lo <= -kFar / 2 || r.hi >= kFar / 2) return {};  // no such memory: another rule's business
  if (is_dense(*type, n)) return r;
  r.type = type;
  r.at = at;
  r.n = n;
  return r;
}

Overlap RegionTest::meet_exactly(const Region& a, const Region& b) {
  int steps = kSteps;
  const Overlap quick = vouch::meet(span_of(a), span_of(b), steps);
  if (quick != Overlap::over_budget) return quick;
  const std::int64_t distance = base_of(b) - base_of(a);
  if (pairs_.empty()) pairs_.resize(kKept);
  Pair& kept = pairs_[slot(a.type.get(), b.type.get(), distance)];
  const std::int64_t na = a.dense() ? a.hi - a.lo : a.n, nb = b.dense() ? b.hi - b.lo : b.n;
  if ((kept.a != nullptr || kept.b != nullptr) && kept.a == a.type && kept.b == b.type &&
      kept.na == na && kept.nb == nb && kept.distance == distance)
    return kept.answer;
  bool meets = false;
  const bool decided = for_each_shared(a, b, [&](const Interval&, const Interval&) {
    meets = true;
    return false;
  });
  const Overlap answer = !decided ? Overlap::over_budget : meets ? Overlap::yes : Overlap::no;
  kept = {a.type, b.type, na, nb, distance, answer};
  return answer;
}

Overlap RegionTest::twice(const TypeRef& type, std::int64_t n) {
  if (n <= 0 || type == nullptr || is_dense(*type, n)) return Overlap::no;
  if (selves_.empty()) selves_.resize(kKept);
  Self& kept = selves_[slot(type.get(), nullptr, n)];
  if (kept.type == type && kept.n == n) return kept.answer;
  int steps = kSteps;
  Overlap answer = vouch::twice({type->layout.get(), 0, n, type->extent(), 0}, steps);
  if (answer == Overlap::over_budget) {
    if (const Ascent* a = ascent(type, n)) answer = a->twice ? Overlap::yes : Overlap::no;
  }
  kept = {type, n, answer};
  return answer;
}

const Ascent* RegionTest::ascent(const TypeRef& type, std::int64_t n) {
  if (rising_.empty()) rising_.resize(kKept);
  Rising& kept = rising_[slot(type.get(), nullptr, n)];
  if (kept.type == type && kept.n == n) return kept.ascent.get();
  if (kept.ascent != nullptr) pieces_ -= kept.ascent->unrolled;
  bool over = false;
  kept = {type, n, ascent_of(buffer_layout(type->layout, type->extent(), n), over)};
  if (kept.ascent == nullptr) return nullptr;
  if (pieces_ + kept.ascent->unrolled > kMostPieces) {
    const Rising made = kept;
    std::fill(rising_.begin(), rising_.end(), Rising{});
    kept = made;
    pieces_ = 0;
  }
  pieces_ += kept.ascent->unrolled;
  return kept.ascent.get();
}

const Ascent* RegionTest::ascent(const Region& r) {
  return r.dense() ? nullptr : ascent(r.type, r.n);
}

// False: too many pieces, or too many steps.
template <typename F>
bool RegionTest::for_each_shared(const Region& a, const Region& b, F&& f) {
  // Held: the second may take the place of the first.
  const auto pieces = [&](const Region& r) {
    if (r.dense()) return pieces_of(r);
    return ascent(r.type, r.n) == nullptr ? nullptr
                                          : rising_[slot(r.type.get(), nullptr, r.n)].ascent;
  };
  const AscentRef x = pieces(a), y = pieces(b);
  return x != nullptr && y != nullptr &&
         vouch::for_each_shared(*x, base_of(a), *y, base_of(b), std::forward<F>(f));
}

Overlap RegionTest::displaced(const Region& a, const Region& b, std::int64_t size) {
  if (size <= 1 || !bounds_meet(a, b)) return Overlap::no;
  const auto on_grid = [&](const Region& r) {
    const Ascent* pieces = ascent(r);
    return r.dense() || (pieces != nullptr && pieces->grid % size == 0);
  };
  if (on_grid(a) && on_grid(b)) return (a.lo - b.lo) % size == 0 ? Overlap::no : meet(a, b);
  bool found = false;
  const bool decided = for_each_shared(a, b, [&](const Interval& x, const Interval& y) {
    found = (x.lo - y.lo) % size != 0;
    return !found;
  });
  return !decided ? Overlap::over_budget : found ? Overlap::yes : Overlap::no;
}

std::int64_t shared_bytes(const Region& a, const Region& b) {
  if (a.dense() && b.dense()) return std::min(a.hi, b.hi) - std::max(a.lo, b.lo);
  const AscentRef x = pieces_of(a), y = pieces_of(b);
  if (x == nullptr || y == nullptr) return -1;
  std::int64_t sum = 0;
  const bool all =
      for_each_shared(*x, base_of(a), *y, base_of(b), [&](const Interval& i, const Interval& k) {
        sum += std::min(i.hi, k.hi) - std::max(i.lo, k.lo);
        return true;
      });
  return all ? sum : -1;
}

std::int64_t repeated_bytes(const TypeRef& type, std::int64_t n) {
  bool over = false;
  const LayoutRef all = buffer_layout(type->layout, type->extent(), n);
  const AscentRef once = ascent_of(all, over);
  return once == nullptr ? -1 : all->bytes - once->bytes;
}

}  // namespace vouch
