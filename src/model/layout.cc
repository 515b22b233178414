#include "model/layout.h"

#include <algorithm>
#include <numeric>

#include "model/saturate.h"

namespace vouch {
namespace {

std::int64_t lo(const Layout::Part& p) { return add(p.offset, p.layout->lo); }
std::int64_t hi(const Layout::Part& p) { return add(p.offset, p.layout->hi); }

bool is_block(const Layout& l) { return l.what == Layout::What::block; }

// Strips a shift that stands for nothing but itself.
Layout::Part unwrap(Layout::Part p) {
  while (p.layout->what == Layout::What::seq && p.layout->parts.size() == 1) {
    const Layout::Part inner = p.layout->parts[0];
    p = {add(p.offset, inner.offset), inner.layout};
  }
  return p;
}

}  // namespace

LayoutRef block_of(std::int64_t length) {
  if (length <= 0) return nullptr;
  Layout l;
  l.length = l.hi = l.bytes = length;
  return std::make_shared<const Layout>(std::move(l));
}

LayoutRef loop_of(std::int64_t n, std::int64_t stride, const Layout::Part& given) {
  if (n <= 0 || given.layout == nullptr) return nullptr;
  const Layout::Part body = unwrap(given);
  if (n == 1) return sequence_of({body});
  if (is_block(*body.layout) && stride == body.layout->length) {
    return sequence_of({{body.offset, block_of(mul(n, stride))}});
  }
  Layout l;
  l.what = Layout::What::loop;
  l.n = n;
  l.stride = stride;
  l.parts = {body};
  const Layout& inner = *body.layout;
  if (inner.what == Layout::What::loop && stride == mul(inner.n, inner.stride)) {
    l.n = mul(n, inner.n);
    l.stride = inner.stride;
    l.parts = {{add(body.offset, inner.parts[0].offset), inner.parts[0].layout}};
  }
  const std::int64_t last = mul(l.n - 1, l.stride);
  l.lo = add(lo(l.parts[0]), std::min<std::int64_t>(last, 0));
  l.hi = add(hi(l.parts[0]), std::max<std::int64_t>(last, 0));
  l.bytes = mul(l.n, l.parts[0].layout->bytes);
  l.blocks =
      static_cast<std::uint64_t>(mul(l.n, static_cast<std::int64_t>(l.parts[0].layout->blocks)));
  return std::make_shared<const Layout>(std::move(l));
}

LayoutRef sequence_of(std::vector<Layout::Part> given) {
  std::vector<Layout::Part> parts;
  for (const Layout::Part& g : given) {
    if (g.layout == nullptr) continue;
    const Layout::Part p = unwrap(g);
    if (!parts.empty() && is_block(*p.layout) && is_block(*parts.back().layout) &&
        hi(parts.back()) == p.offset) {
      parts.back().layout = block_of(parts.back().layout->length + p.layout->length);
    } else {
      parts.push_back(p);
    }
  }
  if (parts.empty()) return nullptr;
  if (parts.size() == 1 && parts[0].offset == 0) return parts[0].layout;
  Layout l;
  l.what = Layout::What::seq;
  l.lo = lo(parts[0]);
  l.hi = hi(parts[0]);
  l.blocks = 0;
  for (const Layout::Part& p : parts) {
    l.lo = std::min(l.lo, lo(p));
    l.hi = std::max(l.hi, hi(p));
    l.bytes = add(l.bytes, p.layout->bytes);
    l.blocks = static_cast<std::uint64_t>(
        add(static_cast<std::int64_t>(l.blocks), static_cast<std::int64_t>(p.layout->blocks)));
  }
  l.parts = std::move(parts);
  return std::make_shared<const Layout>(std::move(l));
}

LayoutRef buffer_layout(const LayoutRef& type, std::int64_t extent, std::int64_t count) {
  return loop_of(count, extent, {0, type});
}

namespace {

// Runs of a layout in increasing order, joined. False: more than the budget.
bool sorted_runs(const LayoutRef& layout, std::int64_t base, std::uint64_t budget,
                 std::vector<Interval>& runs) {
  const bool all = for_each_interval(layout, base, [&](const Interval& i) {
    runs.push_back(i);
    return runs.size() <= budget;
  });
  if (!all) return false;
  std::sort(runs.begin(), runs.end(),
            [](const Interval& x, const Interval& y) { return x.lo < y.lo; });
  return true;
}

// A block, or one loop over a block: the shapes that arithmetic alone can compare.
struct Comb {
  std::int64_t start, n, stride, length;
};
bool comb_of(Layout::Part p, Comb& comb) {
  p = unwrap(p);
  const Layout& l = *p.layout;
  if (is_block(l)) {
    comb = {p.offset, 1, l.length, l.length};
    return true;
  }
  if (l.what != Layout::What::loop || !is_block(*l.parts[0].layout)) return false;
  comb = {add(p.offset, l.parts[0].offset), l.n, l.stride, l.parts[0].layout->length};
  if (comb.stride < 0) {
    comb.start = add(comb.start, mul(comb.n - 1, comb.stride));
    comb.stride = -comb.stride;
  }
  return comb.stride > 0;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Whether some tooth of the comb meets [lo, hi).
bool meets(const Comb& c, std::int64_t lo, std::int64_t hi) {
  // Tooth i covers [start + i*stride, … + length): the first whose end is beyond lo.
  const std::int64_t first =
      std::max<std::int64_t>(floor_div(lo - c.start - c.length, c.stride) + 1, 0);
  return first < c.n && c.start + first * c.stride < hi;
}

// Two combs. False in `decided`: arithmetic does not tell.
bool combs_meet(const Comb& a, const Comb& b, bool& decided) {
  decided = true;
  if (a.n == 1) return meets(b, a.start, a.start + a.length);
  if (b.n == 1) return meets(a, b.start, b.start + b.length);
  if (a.stride == b.stride) {
    // Tooth j of b against tooth i of a: starts differ by d + (j - i)·stride, which must lie in
    // (-b.length, a.length).
    const std::int64_t d = b.start - a.start;
    const std::int64_t least = std::max(-floor_div(b.length - 1 + d, a.stride), 1 - a.n);
    const std::int64_t most = std::min(floor_div(a.length - 1 - d, a.stride), b.n - 1);
    return least <= most;
  }
  // Teeth meet iff the difference of their starts, (b.start - a.start) + multiples of gcd, can lie
  // in (-b.length, a.length).
  const std::int64_t g = std::gcd(a.stride, b.stride);
  const std::int64_t d = ((b.start - a.start) % g + g) % g;
  if (d >= a.length && d - g <= -b.length) return false;
  decided = false;
  return true;
}

}  // namespace

Overlap overlap(const LayoutRef& a, std::int64_t base_a, const LayoutRef& b, std::int64_t base_b,
                std::uint64_t budget) {
  if (a == nullptr || b == nullptr) return Overlap::no;
  if (add(base_a, a->hi) <= add(base_b, b->lo) || add(base_b, b->hi) <= add(base_a, a->lo))
    return Overlap::no;
  Comb x, y;
  if (comb_of({base_a, a}, x) && comb_of({base_b, b}, y)) {
    bool decided;
    const bool meet = combs_meet(x, y, decided);
    if (decided) return meet ? Overlap::yes : Overlap::no;
    if (x.n > y.n) std::swap(x, y);
    for (std::int64_t i = 0; i < x.n; ++i) {
      if (static_cast<std::uint64_t>(i) >= budget) return Overlap::over_budget;
      const std::int64_t lo = x.start + i * x.stride;
      if (meets(y, lo, lo + x.length)) return Overlap::yes;
    }
    return Overlap::no;
  }
  std::vector<Interval> left, right;
  if (!sorted_runs(a, base_a, budget, left) || !sorted_runs(b, base_b, budget, right))
    return Overlap::over_budget;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i].hi <= right[j].lo) {
      ++i;
    } else if (right[j].hi <= left[i].lo) {
      ++j;
    } else {
      return Overlap::yes;
    }
  }
  return Overlap::no;
}

Overlap self_overlap(const LayoutRef& layout, std::uint64_t budget) {
  if (layout == nullptr || is_block(*layout)) return Overlap::no;
  if (layout->hi - layout->lo < layout->bytes) return Overlap::yes;  // more bytes than places
  Comb c;
  if (comb_of({0, layout}, c)) return c.n > 1 && c.stride < c.length ? Overlap::yes : Overlap::no;
  std::vector<Interval> runs;
  if (!sorted_runs(layout, 0, budget, runs)) return Overlap::over_budget;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].lo < runs[i - 1].hi) return Overlap::yes;
  }
  return Overlap::no;
}

}  // namespace vouch
