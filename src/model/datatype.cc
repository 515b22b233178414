#include "model/datatype.h"

#include <algorithm>
#include <numeric>

#include "model/saturate.h"

namespace vouch {
namespace {

struct Pair {
  Constant pair, first, second;
};
constexpr Pair kPairs[] = {
    {Constant::float_int, Constant::float_, Constant::int_},
    {Constant::double_int, Constant::double_, Constant::int_},
    {Constant::long_int, Constant::long_, Constant::int_},
    {Constant::_2int, Constant::int_, Constant::int_},
    {Constant::short_int, Constant::short_, Constant::int_},
    {Constant::long_double_int, Constant::long_double, Constant::int_},
    {Constant::_2real, Constant::real, Constant::real},
    {Constant::_2double_precision, Constant::double_precision, Constant::double_precision},
    {Constant::_2integer, Constant::integer, Constant::integer},
    {Constant::_2complex, Constant::complex_, Constant::complex_},
    {Constant::_2double_complex, Constant::double_complex, Constant::double_complex},
};

bool is_complex(Constant c) {
  return std::string_view(info(c).name).find("COMPLEX") != std::string_view::npos;
}

std::int64_t natural_alignment(Constant c, std::int64_t size) {
  if (is_complex(c)) size /= 2;
  return std::clamp<std::int64_t>(size, 1, 16);
}

// Type under construction: entries are added, then bounds are settled.
class Builder {
 public:
  explicit Builder(Constant combiner) { type_.combiner = combiner; }
  Type& type() { return type_; }

  // n × (blocklength elements of old, one after the other), stride bytes apart, the first at `at`.
  void add_blocks(std::int64_t n, std::int64_t blocklength, std::int64_t stride, std::int64_t at,
                  const Type& old) {
    if (n <= 0 || blocklength <= 0) return;
    const std::int64_t extent = old.extent();
    const std::int64_t inner = mul(blocklength - 1, extent), outer = mul(n - 1, stride);
    const std::int64_t low =
        add(at, add(std::min<std::int64_t>(inner, 0), std::min<std::int64_t>(outer, 0)));
    const std::int64_t high =
        add(at, add(std::max<std::int64_t>(inner, 0), std::max<std::int64_t>(outer, 0)));
    bound(add(low, old.lb), add(high, old.ub), old);
    type_.size = add(type_.size, mul(mul(n, blocklength), old.size));
    type_.alignment = std::max(type_.alignment, old.alignment);
    signatures_.push_back(repeat(
        static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(blocklength), old.signature));
    if (old.layout != nullptr) {
      const LayoutRef block = loop_of(blocklength, extent, {0, old.layout});
      parts_.push_back({at, loop_of(n, stride, {0, block})});
    }
  }

  TypeRef finish() {
    type_.signature = sequence(signatures_);
    type_.layout = sequence_of(std::move(parts_));
    if (type_.layout != nullptr) {
      type_.true_lb = type_.layout->lo;
      type_.true_ub = type_.layout->hi;
    }
    type_.lb = lb_marked_ ? marked_lb_ : lb_;
    type_.ub = ub_marked_ ? marked_ub_ : ub_;
    type_.lb_marked = lb_marked_;
    type_.ub_marked = ub_marked_;
    if (!any_) type_.lb = lb_marked_ ? marked_lb_ : ub_marked_ ? marked_ub_ : 0;
    if (!any_ && !ub_marked_) type_.ub = type_.lb;
    // MPI-4.1 5.1.6: rounded up to what the strictest member needs.
    if (!ub_marked_ && type_.alignment > 1) {
      const std::int64_t over = type_.extent() % type_.alignment;
      if (over > 0) type_.ub = add(type_.ub, type_.alignment - over);
    }
    return std::make_shared<const Type>(std::move(type_));
  }

 private:
  // MPI-4.1 5.1.7: entries with an explicit bound outweigh all others.
  void bound(std::int64_t lb, std::int64_t ub, const Type& old) {
    if (old.lb_marked) {
      marked_lb_ = lb_marked_ ? std::min(marked_lb_, lb) : lb;
      lb_marked_ = true;
    }
    if (old.ub_marked) {
      marked_ub_ = ub_marked_ ? std::max(marked_ub_, ub) : ub;
      ub_marked_ = true;
    }
    if (old.signature->n == 0) return;  // no entries but markers
    lb_ = any_ ? std::min(lb_, lb) : lb;
    ub_ = any_ ? std::max(ub_, ub) : ub;
    any_ = true;
  }

  Type type_;
  std::vector<SignatureRef> signatures_;
  std::vector<Layout::Part> parts_;
  bool any_ = false, lb_marked_ = false, ub_marked_ = false;
  std::int64_t lb_ = 0, ub_ = 0, marked_lb_ = 0, marked_ub_ = 0;
};

bool negative(const std::vector<std::int64_t>& v) {
  return std::any_of(v.begin(), v.end(), [](std::int64_t x) { return x < 0; });
}

std::vector<std::int64_t> scaled(const std::vector<std::int64_t>& v, std::int64_t by) {
  std::vector<std::int64_t> r(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) r[i] = mul(v[i], by);
  return r;
}

std::vector<std::int64_t> concat(std::initializer_list<std::vector<std::int64_t>> lists) {
  std::vector<std::int64_t> r;
  for (const auto& l : lists) r.insert(r.end(), l.begin(), l.end());
  return r;
}

TypeRef blocks(Builder& b, const std::vector<std::int64_t>& lengths,
               const std::vector<std::int64_t>& at, const TypeRef& old) {
  // Runs of equal blocks at equal distance become one loop, so regular index lists stay small.
  for (std::size_t i = 0; i < at.size();) {
    std::size_t j = i + 1;
    const std::int64_t stride = j < at.size() ? add(at[j], -at[i]) : 0;
    while (j < at.size() && lengths[j] == lengths[i] && add(at[j], -at[j - 1]) == stride) ++j;
    b.add_blocks(static_cast<std::int64_t>(j - i), lengths[i], stride, at[i], *old);
    i = j;
  }
  b.type().types = {old};
  return b.finish();
}

}  // namespace

TypeRef make_named(Constant c, std::int64_t size, std::int64_t extent) {
  Type t;
  t.named = c;
  t.combiner = Constant::combiner_named;
  t.size = size;
  t.ub = extent;
  t.alignment = natural_alignment(c, size);
  t.signature = empty_signature();
  if (c == Constant::lb || c == Constant::ub) {
    t.size = t.ub = 0;
    t.alignment = 1;
    (c == Constant::lb ? t.lb_marked : t.ub_marked) = true;
    return std::make_shared<const Type>(std::move(t));
  }
  const auto pair = std::find_if(std::begin(kPairs), std::end(kPairs),
                                 [&](const Pair& p) { return p.pair == c; });
  if (pair == std::end(kPairs)) {
    t.signature = run_of(atom_of(c, size), 1);
    t.layout = block_of(size);
  } else {
    const bool alike = pair->first == pair->second;
    const std::int64_t second = alike ? size / 2 : 4, first = size - second;
    const std::int64_t at = alike ? first : (first + 3) / 4 * 4;
    t.signature = sequence(
        {run_of(atom_of(pair->first, first), 1), run_of(atom_of(pair->second, second), 1)});
    t.layout = sequence_of({{0, block_of(first)}, {at, block_of(second)}});
    t.alignment = natural_alignment(pair->first, first);
    if (!alike) t.alignment = std::max<std::int64_t>(t.alignment, 4);
  }
  if (t.layout != nullptr) {
    t.true_lb = t.layout->lo;
    t.true_ub = t.layout->hi;
  }
  return std::make_shared<const Type>(std::move(t));
}

TypeRef make_contiguous(std::int64_t count, const TypeRef& old) {
  if (old == nullptr || count < 0) return nullptr;
  Builder b(Constant::combiner_contiguous);
  b.add_blocks(1, count, 0, 0, *old);
  b.type().integers = {count};
  b.type().types = {old};
  return b.finish();
}

TypeRef make_vector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                    const TypeRef& old) {
  if (old == nullptr || count < 0 || blocklength < 0) return nullptr;
  Builder b(Constant::combiner_vector);
  b.add_blocks(count, blocklength, mul(stride, old->extent()), 0, *old);
  b.type().integers = {count, blocklength, stride};
  b.type().types = {old};
  return b.finish();
}

TypeRef make_hvector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                     const TypeRef& old) {
  if (old == nullptr || count < 0 || blocklength < 0) return nullptr;
  Builder b(Constant::combiner_hvector);
  b.add_blocks(count, blocklength, stride, 0, *old);
  b.type().integers = {count, blocklength};
  b.type().addresses = {stride};
  b.type().types = {old};
  return b.finish();
}

TypeRef make_indexed(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& elements, const TypeRef& old) {
  if (old == nullptr || lengths.size() != elements.size() || negative(lengths)) return nullptr;
  Builder b(Constant::combiner_indexed);
  b.type().integers = concat({{static_cast<std::int64_t>(lengths.size())}, lengths, elements});
  return blocks(b, lengths, scaled(elements, old->extent()), old);
}

TypeRef make_hindexed(const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& at,
                      const TypeRef& old) {
  if (old == nullptr || lengths.size() != at.size() || negative(lengths)) return nullptr;
  Builder b(Constant::combiner_hindexed);
  b.type().integers = concat({{static_cast<std::int64_t>(lengths.size())}, lengths});
  b.type().addresses = at;
  return blocks(b, lengths, at, old);
}

TypeRef make_indexed_block(std::int64_t length, const std::vector<std::int64_t>& elements,
                           const TypeRef& old) {
  if (old == nullptr || length < 0) return nullptr;
  Builder b(Constant::combiner_indexed_block);
  b.type().integers = concat({{static_cast<std::int64_t>(elements.size()), length}, elements});
  return blocks(b, std::vector<std::int64_t>(elements.size(), length),
                scaled(elements, old->extent()), old);
}

TypeRef make_hindexed_block(std::int64_t length, const std::vector<std::int64_t>& at,
                            const TypeRef& old) {
  if (old == nullptr || length < 0) return nullptr;
  Builder b(Constant::combiner_hindexed_block);
  b.type().integers = {static_cast<std::int64_t>(at.size()), length};
  b.type().addresses = at;
  return blocks(b, std::vector<std::int64_t>(at.size(), length), at, old);
}

TypeRef make_struct(const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& at,
                    const std::vector<TypeRef>& types) {
  if (lengths.size() != at.size() || at.size() != types.size() || negative(lengths)) return nullptr;
  Builder b(Constant::combiner_struct);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == nullptr) return nullptr;
    b.add_blocks(1, lengths[i], 0, at[i], *types[i]);
  }
  b.type().integers = concat({{static_cast<std::int64_t>(lengths.size())}, lengths});
  b.type().addresses = at;
  b.type().types = types;
  return b.finish();
}

TypeRef make_resized(std::int64_t lb, std::int64_t extent, const TypeRef& old) {
  if (old == nullptr) return nullptr;
  Type t = *old;
  t.named = Constant::none;
  t.combiner = Constant::combiner_resized;
  t.lb = lb;
  t.ub = add(lb, extent);
  t.lb_marked = t.ub_marked = true;
  t.integers.clear();
  t.addresses = {lb, extent};
  t.types = {old};
  return std::make_shared<const Type>(std::move(t));
}

TypeRef make_dup(const TypeRef& old) {
  if (old == nullptr) return nullptr;
  Type t = *old;
  t.named = Constant::none;
  t.combiner = Constant::combiner_dup;
  t.integers.clear();
  t.addresses.clear();
  t.types = {old};
  return std::make_shared<const Type>(std::move(t));
}

TypeRef make_f90(Constant combiner, std::int64_t p, std::int64_t r) {
  const Atom atom = f90_atom(combiner, p, r);
  Type t;
  t.combiner = combiner;
  t.size = t.ub = t.true_ub = atom.bytes;
  t.alignment = std::min<std::int64_t>(
      combiner == Constant::combiner_f90_complex ? atom.bytes / 2 : atom.bytes, 16);
  t.signature = run_of(atom, 1);
  t.layout = block_of(atom.bytes);
  t.integers = combiner == Constant::combiner_f90_integer ? std::vector<std::int64_t>{r}
                                                          : std::vector<std::int64_t>{p, r};
  return std::make_shared<const Type>(std::move(t));
}

}  // namespace vouch
