#include "analysis/io/view.h"

#include <fmt/format.h>

#include "base/count_words.h"
#include "model/effect.h"
#include "type/compare.h"

namespace vouch {
namespace {

// Whether a sequence holds raw bytes only, which go with anything.
bool is_raw(const SignatureRef& s) {
  if (s->children.empty()) {
    const AtomClass c = class_of(s->atom);
    return s->n == 0 || c == AtomClass::byte || c == AtomClass::packed;
  }
  return std::all_of(s->children.begin(), s->children.end(), is_raw);
}

// The first difference between whole repetitions of the etype and n elements.
ViewFault unlike_etypes(const Type& etype, const Type& other, std::int64_t n) {
  using Kind = ViewFault::Kind;
  const std::int64_t bytes = mul(other.size, n);
  if (bytes % etype.size != 0) return {.kind = Kind::bytes, .a = bytes, .b = etype.size};
  if (is_raw(etype.signature) || is_raw(other.signature)) return {};
  const Comparison c = compare(other.signature, static_cast<std::uint64_t>(n), etype.signature,
                               static_cast<std::uint64_t>(bytes / etype.size), true);
  if (c.what == Comparison::What::fits || c.what == Comparison::What::equivalent ||
      c.what == Comparison::What::over_budget)
    return {};
  return {.kind = Kind::unlike,
          .a = static_cast<std::int64_t>(c.item),
          .is = c.sent,
          .etype = c.received};
}

}  // namespace

std::string ViewFault::what() const {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::negative:
      return fmt::format("has a negative displacement, {}", a);
    case Kind::order:
      return fmt::format("is not in ascending order: entry {} begins at {}, the one before at {}",
                         a, b, c);
    case Kind::twice:
      return fmt::format("has a byte twice, though the file may be written: entry {} at {}", a, b);
    case Kind::hole:
      return fmt::format("the hole before entry {} has {}, etypes have {}", a,
                         count_words(b, "byte"), c);
    case Kind::bytes:
      return fmt::format("{} {} not a whole number of etypes, which have {} each",
                         count_words(a, "byte"), a == 1 ? "is" : "are", b);
    case Kind::unlike:
      return fmt::format("entry {} is {}, the etype has {} there", a, name_of(is), name_of(etype));
  }
  return {};
}

Tiles::Tiles(const Type& t) : size_(t.size), extent_(t.extent()) {
  if (t.layout == nullptr || t.size <= 0) {
    known_ = t.size == 0;
    return;
  }
  if (t.layout->blocks > kPieces) return;
  std::int64_t stream = 0;
  known_ = for_each_interval(t.layout, 0, [&](const Interval& i) {
    pieces_.push_back({stream, i.lo, i.hi - i.lo});
    stream += i.hi - i.lo;
    hash_ = mix(mix(hash_, static_cast<std::uint64_t>(i.lo)), static_cast<std::uint64_t>(i.hi));
    return true;
  });
  // Bytes that the layout counts otherwise than the size tells: nothing we could place.
  known_ = known_ && stream == size_;
  dense_ = pieces_.size() == 1 && pieces_[0].length == extent_;
  // A dense one is the same however often its type repeats itself.
  hash_ = dense_ ? mix(1, static_cast<std::uint64_t>(pieces_[0].file))
                 : mix(hash_, static_cast<std::uint64_t>(extent_));
}

const Tiles& TileCache::of(const TypeRef& type) {
  const auto found = kept_.find(type.get());
  if (found != kept_.end()) return *found->second.second;
  if (kept_.size() >= kKept) kept_.clear();
  return *(kept_[type.get()] = {type, std::make_unique<Tiles>(*type)}).second;
}

// Misses: basic types that stand side by side in memory are one piece: a decrease among them is
// seen as an overlap only.
ViewFault order_fault(const Type& t, bool writable) {
  ViewFault fault;
  if (t.layout == nullptr) return fault;
  if (t.layout->lo < 0) {
    fault.kind = ViewFault::Kind::negative;
    fault.a = t.layout->lo;
    return fault;
  }
  if (t.layout->blocks > Tiles::kPieces) {
    fault.over_budget = true;
    return fault;
  }
  std::int64_t entry = 0;
  Interval before{0, 0};
  for_each_interval(t.layout, 0, [&](const Interval& i) {
    if (i.lo < before.lo) {
      fault = {.kind = ViewFault::Kind::order, .a = entry, .b = i.lo, .c = before.lo};
    } else if (i.lo < before.hi && writable) {
      fault = {.kind = ViewFault::Kind::twice, .a = entry, .b = i.lo};
    }
    ++entry;
    before = {i.lo, std::max(i.hi, before.hi)};
    return !fault;
  });
  return fault;
}

ViewFault etype_fault(const Type& etype, const Type& filetype) {
  ViewFault fault;
  if (etype.size <= 0 || filetype.size <= 0) return fault;
  fault = unlike_etypes(etype, filetype, 1);
  if (fault || filetype.layout == nullptr) return fault;
  const std::int64_t unit = etype.extent();
  // Within an etype with holes of its own the pieces tell nothing.
  if (unit != etype.size || unit <= 1) return fault;
  if (filetype.layout->blocks > Tiles::kPieces) {
    fault.over_budget = true;
    return fault;
  }
  std::int64_t entry = 0, end = 0;
  for_each_interval(filetype.layout, 0, [&](const Interval& i) {
    if (entry > 0 && (i.lo - end) % unit != 0)
      fault = {.kind = ViewFault::Kind::hole, .a = entry, .b = i.lo - end, .c = unit};
    ++entry;
    end = i.hi;
    return !fault;
  });
  return fault;
}

ViewFault buffer_fault(const Type& etype, const Type& buffer, std::int64_t n) {
  if (etype.size <= 0 || buffer.size <= 0 || n <= 0) return {};
  return unlike_etypes(etype, buffer, n);
}

}  // namespace vouch
