#include "model/ascent.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "model/saturate.h"

namespace vouch {
namespace {

using Part = Ascent::Part;

std::int64_t extent(const Ascent& a) { return a.hi - a.lo; }
std::int64_t lo(const Part& p) { return add(p.offset, p.ascent->lo); }
std::int64_t hi(const Part& p) { return add(p.offset, p.ascent->hi); }

std::uint64_t times(std::int64_t n, std::uint64_t size) {
  return static_cast<std::uint64_t>(mul(n, static_cast<std::int64_t>(size)));
}

bool is_loop(const Ascent& a) { return a.n > 1; }
bool is_block(const Ascent& a) { return a.pieces.size() == 1; }

// Pieces that are sorted and apart.
AscentRef of_pieces(std::vector<Interval>&& pieces, bool twice) {
  auto a = std::make_shared<Ascent>();
  a->lo = pieces.front().lo;
  a->hi = pieces.back().hi;
  for (const Interval& i : pieces) {
    a->bytes += i.hi - i.lo;
    a->grid = std::gcd(std::gcd(a->grid, i.lo - a->lo), i.hi - i.lo);
  }
  a->size = a->unrolled = pieces.size();
  a->twice = twice;
  a->pieces = std::move(pieces);
  return a;
}

AscentRef block(std::int64_t from, std::int64_t to, bool twice) {
  return of_pieces({{from, to}}, twice);
}

class AscentBuilder {
 public:
  explicit AscentBuilder(std::uint64_t most) : left_(most) {}
  bool over() const { return over_; }

  AscentRef of(const Layout& l) {
    if (over_) return nullptr;
    if (l.what == Layout::What::block) return block(0, l.length, false);
    if (const auto known = known_.find(&l); known != known_.end()) return known->second;
    AscentRef made;
    if (l.what == Layout::What::loop) {
      const AscentRef body = of(*l.parts[0].layout);
      if (body != nullptr) made = loop(l.n, l.stride, {l.parts[0].offset, body});
    } else {
      made = sequence(l);
    }
    known_.emplace(&l, made);
    return made;
  }

 private:
  static AscentRef shifted(const Part& p) {
    if (p.offset == 0) return p.ascent;
    auto a = std::make_shared<Ascent>();
    a->parts = {p};
    a->lo = lo(p);
    a->hi = hi(p);
    a->bytes = p.ascent->bytes;
    a->size = p.ascent->size;
    a->unrolled = p.ascent->unrolled;
    a->twice = p.ascent->twice;
    a->grid = p.ascent->grid;
    return a;
  }

  static AscentRef repeat(std::int64_t n, std::int64_t stride, const Part& body, bool twice) {
    auto a = std::make_shared<Ascent>();
    a->n = n;
    a->stride = stride;
    a->parts = {body};
    a->lo = lo(body);
    a->hi = add(hi(body), mul(n - 1, stride));
    a->bytes = mul(n, body.ascent->bytes);
    a->size = times(n, body.ascent->size);
    a->unrolled = body.ascent->unrolled;
    a->twice = twice || body.ascent->twice;
    a->grid = std::gcd(body.ascent->grid, stride);
    return a;
  }

  AscentRef loop(std::int64_t n, std::int64_t stride, Part body) {
    // A shift around a body belongs to it.
    while (body.ascent->parts.size() == 1 && !is_loop(*body.ascent)) {
      const Part inner = body.ascent->parts[0];
      body = {add(body.offset, inner.offset), inner.ascent};
    }
    if (n == 1) return shifted(body);
    if (stride < 0) {
      body.offset = add(body.offset, mul(n - 1, stride));
      stride = -stride;
    }
    const Ascent& inner = *body.ascent;
    if (stride == 0) return again(shifted(body));
    if (stride >= extent(inner)) {
      if (is_block(inner) && stride == extent(inner))
        return block(lo(body), add(hi(body), mul(n - 1, stride)), inner.twice);
      return repeat(n, stride, body, false);
    }
    if (is_block(inner)) return block(lo(body), add(hi(body), mul(n - 1, stride)), true);
    if (is_loop(inner)) {
      // The order of two loops does not matter to the bytes they give.
      if (inner.stride > stride) {
        const AscentRef turned = loop(n, stride, inner.parts[0]);
        if (turned == nullptr) return nullptr;
        const AscentRef whole = loop(inner.n, inner.stride, {body.offset, turned});
        return whole != nullptr && inner.twice ? again(whole) : whole;
      } else if (inner.stride == stride) {
        const AscentRef joined = repeat(n + inner.n - 1, stride, inner.parts[0], true);
        return shifted({body.offset, joined});
      }
    }
    return unroll_loop(n, stride, body);
  }

  // A shift may be taken off later: what it shifts is told.
  static AscentRef again(const AscentRef& once) {
    if (once->parts.size() == 1 && !is_loop(*once))
      return shifted({once->parts[0].offset, again(once->parts[0].ascent)});
    auto a = std::make_shared<Ascent>(*once);
    a->twice = true;
    return a;
  }

  AscentRef unroll_loop(std::int64_t n, std::int64_t stride, const Part& body) {
    std::vector<Interval> all;
    if (!may_unroll(times(n, body.ascent->size))) return nullptr;
    for (std::int64_t i = 0; i < n; ++i) append({body.offset + i * stride, body.ascent}, all);
    return joined(std::move(all), body.ascent->twice);
  }

  bool may_unroll(std::uint64_t pieces) {
    over_ = over_ || pieces > left_;
    if (!over_) left_ -= pieces;
    return !over_;
  }

  static void append(const Part& p, std::vector<Interval>& all) {
    Interval i{0, 0};
    for (std::int64_t from = lo(p); next_piece(*p.ascent, p.offset, from, i); from = i.hi)
      all.push_back(i);
  }

  static AscentRef joined(std::vector<Interval>&& all, bool twice) {
    const auto before = [](const Interval& x, const Interval& y) { return x.lo < y.lo; };
    if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
    std::size_t last = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].lo > all[last].hi) {
        all[++last] = all[i];
        continue;
      }
      twice = twice || all[i].lo < all[last].hi;
      all[last].hi = std::max(all[last].hi, all[i].hi);
    }
    all.resize(last + 1);
    all.shrink_to_fit();
    return of_pieces(std::move(all), twice);
  }

  // A part of a sequence; blocks, of which there may be many, have no ascent of their own.
  struct Item {
    std::int64_t lo, hi, offset;
    const Layout* layout;
    AscentRef ascent;  // nullptr: a block
  };

  AscentRef sequence(const Layout& l) {
    std::vector<Item> items;
    items.reserve(l.parts.size());
    for (const Layout::Part& p : l.parts) {
      Item item{add(p.offset, p.layout->lo), add(p.offset, p.layout->hi), p.offset, p.layout.get(),
                nullptr};
      if (p.layout->what != Layout::What::block && (item.ascent = of(*p.layout)) == nullptr)
        return nullptr;
      items.push_back(std::move(item));
    }
    const auto before = [](const Item& x, const Item& y) { return x.lo < y.lo; };
    if (!std::is_sorted(items.begin(), items.end(), before))
      std::sort(items.begin(), items.end(), before);
    std::vector<Part> parts;
    std::vector<Interval> pieces;  // of blocks, and of what is interleaved
    bool twice = false;
    const auto flush = [&] {
      if (!pieces.empty()) parts.push_back({0, joined(std::move(pieces), twice)});
      pieces = {};
      twice = false;
    };
    for (std::size_t i = 0; i < items.size();) {
      std::size_t end = i + 1;
      for (std::int64_t reach = items[i].hi; end < items.size() && items[end].lo < reach; ++end)
        reach = std::max(reach, items[end].hi);
      if (end == i + 1 && items[i].ascent != nullptr) {
        flush();
        parts.push_back({items[i].offset, items[i].ascent});
      } else {
        for (std::size_t k = i; k < end; ++k) {
          const Item& item = items[k];
          if (!may_unroll(item.ascent == nullptr ? 1 : item.ascent->size)) return nullptr;
          if (item.ascent == nullptr) {
            pieces.push_back({item.lo, item.hi});
          } else {
            append({item.offset, item.ascent}, pieces);
            twice = twice || item.ascent->twice;
          }
        }
      }
      i = end;
    }
    flush();
    return parts.size() == 1 ? shifted(parts[0]) : of_parts(std::move(parts));
  }

  static AscentRef of_parts(std::vector<Part>&& parts) {
    auto a = std::make_shared<Ascent>();
    a->lo = lo(parts.front());
    a->hi = hi(parts.back());
    for (const Part& p : parts) {
      a->bytes = add(a->bytes, p.ascent->bytes);
      a->size = static_cast<std::uint64_t>(
          add(static_cast<std::int64_t>(a->size), static_cast<std::int64_t>(p.ascent->size)));
      a->unrolled += p.ascent->unrolled;
      a->twice = a->twice || p.ascent->twice;
      a->grid = std::gcd(std::gcd(a->grid, p.ascent->grid), lo(p) - a->lo);
    }
    a->parts = std::move(parts);
    return a;
  }

  std::uint64_t left_;
  bool over_ = false;
  std::unordered_map<const Layout*, AscentRef> known_;
};

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && a < 0); }

}  // namespace

AscentRef ascent_of(const LayoutRef& layout, bool& over, std::uint64_t most) {
  if (layout == nullptr) return nullptr;
  AscentBuilder builder(most);
  AscentRef made = builder.of(*layout);
  over = over || builder.over();
  return builder.over() ? nullptr : made;
}

bool next_piece(const Ascent& a, std::int64_t base, std::int64_t from, Interval& piece) {
  if (add(base, a.hi) <= from) return false;
  if (!a.pieces.empty()) {
    const auto at = std::upper_bound(a.pieces.begin(), a.pieces.end(), from - base,
                                     [](std::int64_t x, const Interval& i) { return x < i.hi; });
    piece = {base + at->lo, base + at->hi};
    return true;
  }
  if (is_loop(a)) {
    const Part& body = a.parts[0];
    const std::int64_t first = base + body.offset;
    // Copy i ends at first + i·stride + hi: the first that ends behind `from`.
    const std::int64_t i = std::clamp<std::int64_t>(
        floor_div(from - first - body.ascent->hi, a.stride) + 1, 0, a.n - 1);
    return next_piece(*body.ascent, first + i * a.stride, from, piece);
  }
  const auto at =
      std::upper_bound(a.parts.begin(), a.parts.end(), from - base,
                       [](std::int64_t x, const Part& p) { return x < p.offset + p.ascent->hi; });
  return next_piece(*at->ascent, base + at->offset, from, piece);
}

}  // namespace vouch
