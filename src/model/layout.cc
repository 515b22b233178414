#include "model/layout.h"

#include <algorithm>

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

}  // namespace vouch
