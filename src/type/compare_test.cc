#include "type/compare.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "event/text.h"
#include "model/datatype.h"

namespace vouch {
namespace {

using What = Comparison::What;
using Atoms = std::vector<Atom>;

// A type and, built beside it by other means, all its basic types one by one.
struct Expanded {
  TypeRef type;
  Atoms atoms;
};

TypeRef named(Constant c) { return make_named(c, text_size(c).size, text_size(c).extent); }
Atom atom(Constant c) { return atom_of(c, text_size(c).size); }

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  std::size_t pick(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool chance(int percent) { return static_cast<int>(pick(100)) < percent; }

  Constant basic() {
    static constexpr Constant kCommon[] = {
        Constant::int_,    Constant::integer,          Constant::float_,
        Constant::double_, Constant::double_precision, Constant::char_,
        Constant::long_,   Constant::long_long_int,    Constant::short_};
    if (chance(4)) return Constant::byte;
    if (chance(1)) return Constant::packed;
    return kCommon[pick(std::size(kCommon))];
  }

  Expanded leaf() {
    if (chance(10)) return {named(Constant::_2int), {atom(Constant::int_), atom(Constant::int_)}};
    if (chance(5))
      return {named(Constant::double_int), {atom(Constant::double_), atom(Constant::int_)}};
    const Constant c = basic();
    return {named(c), {atom(c)}};
  }

  Expanded any(int depth) {
    if (depth == 0 || chance(20)) return leaf();
    const Expanded old = any(depth - 1);
    const auto n = static_cast<std::int64_t>(pick(4)), length = static_cast<std::int64_t>(pick(3));
    switch (pick(7)) {
      case 0:
        return {make_contiguous(n, old.type), times(n, old.atoms)};
      case 1:
        return {make_vector(n, length, 5, old.type), times(n * length, old.atoms)};
      case 2:
        return {make_indexed({length, n, 1}, {0, 10, 30}, old.type),
                times(length + n + 1, old.atoms)};
      case 3:
        return {make_resized(-4, 1000, old.type), old.atoms};
      case 4:
        return {make_dup(old.type), old.atoms};
      case 5:
        return {make_subarray({4, 5}, {2, 1 + n}, {1, 0}, chance(50), old.type),
                times(2 * (1 + n), old.atoms)};
      default: {
        const Expanded other = any(depth - 1), third = leaf();
        Expanded e{make_struct({n, 1, length}, {0, 4096, 8192}, {old.type, other.type, third.type}),
                   times(n, old.atoms)};
        e.atoms.insert(e.atoms.end(), other.atoms.begin(), other.atoms.end());
        const Atoms last = times(length, third.atoms);
        e.atoms.insert(e.atoms.end(), last.begin(), last.end());
        return e;
      }
    }
  }

  // The same sequence, or nearly, by other constructors.
  Expanded like(Atoms atoms) {
    for (int i = 0; i < 2; ++i) {
      if (atoms.empty() || !chance(30)) continue;
      const std::size_t at = pick(atoms.size());
      switch (pick(4)) {
        case 0:
          atoms[at] = atom(basic());
          break;
        case 1:
          atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 2:
          atoms.insert(atoms.begin() + static_cast<std::ptrdiff_t>(at), atom(basic()));
          break;
        default:  // as bytes
          if (const std::uint32_t n = atoms[at].bytes; n > 0) {
            atoms[at] = atom(Constant::byte);
            atoms.insert(atoms.begin() + static_cast<std::ptrdiff_t>(at), n - 1,
                         atom(Constant::byte));
          }
      }
    }
    std::vector<std::int64_t> lengths, at;
    std::vector<TypeRef> types;
    for (std::size_t i = 0; i < atoms.size();) {
      std::size_t n = 1;
      while (i + n < atoms.size() && atoms[i + n] == atoms[i] && !chance(20)) ++n;
      TypeRef type = named(atoms[i].constant());
      if (chance(50)) {
        type = make_contiguous(static_cast<std::int64_t>(n), type);
        lengths.push_back(1);
      } else {
        lengths.push_back(static_cast<std::int64_t>(n));
      }
      at.push_back(static_cast<std::int64_t>(i) * 64);
      types.push_back(type);
      i += n;
    }
    return {make_struct(lengths, at, types), atoms};
  }

  static Atoms times(std::int64_t n, const Atoms& atoms) {
    Atoms all;
    for (std::int64_t i = 0; i < n; ++i) all.insert(all.end(), atoms.begin(), atoms.end());
    return all;
  }

 private:
  std::mt19937_64 random_;
};

// The rules of usage 2 on plain lists, one basic type after the other.
bool alike(Atom a, Atom b) {
  return a == b ||
         (class_of(a) == class_of(b) && class_of(a) != AtomClass::other && a.bytes == b.bytes);
}

Comparison naive(const Atoms& s, const Atoms& r) {
  const auto bytes = [](const Atoms& a) {
    std::uint64_t n = 0;
    for (const Atom x : a) n += x.bytes;
    return n;
  };
  if (bytes(s) > bytes(r)) return {What::truncation, 0, 0, {}, {}};
  const auto is = [](AtomClass c) { return [c](Atom a) { return class_of(a) == c; }; };
  // A message that is a prefix fits, whatever it is made of.
  std::size_t common = 0;
  while (common < s.size() && common < r.size() && s[common] == r[common]) ++common;
  if (common == s.size()) return {};
  if (std::any_of(s.begin(), s.end(), is(AtomClass::packed)) ||
      std::any_of(r.begin(), r.end(), is(AtomClass::packed)))
    return {};
  // MPI-4.1 3.3.1 lets MPI_BYTE match MPI_BYTE alone. Elements that get all their bytes are what
  // they were on this machine; one that gets some of them is not.
  if (std::all_of(s.begin(), s.end(), is(AtomClass::byte))) {
    std::uint64_t end = 0;
    for (std::size_t j = 0; j < r.size() && end < s.size(); ++j) {
      if (end + r[j].bytes > s.size()) return {What::mismatch, end, j, s[end], r[j]};
      end += r[j].bytes;
    }
    return {What::equivalent, 0, 0, {}, {}};
  }
  if (std::all_of(r.begin(), r.end(), is(AtomClass::byte))) return {What::equivalent, 0, 0, {}, {}};
  Comparison c;
  const auto bytes_at = [&](const Atoms& a, std::size_t i, std::size_t n) {
    if (i + n > a.size()) return false;
    return std::all_of(a.begin() + static_cast<std::ptrdiff_t>(i),
                       a.begin() + static_cast<std::ptrdiff_t>(i + n), is(AtomClass::byte));
  };
  for (std::size_t i = 0, j = 0; i < s.size() && j < r.size();) {
    if (!(s[i] == r[j]) && c.what == What::fits) c = {What::equivalent, i, j, s[i], r[j]};
    if (alike(s[i], r[j])) {
      ++i, ++j;
    } else if (bytes_at(s, i, std::max<std::size_t>(r[j].bytes, 1))) {
      i += r[j].bytes;
      ++j;
    } else if (bytes_at(r, j, std::max<std::size_t>(s[i].bytes, 1))) {
      j += s[i].bytes;
      ++i;
    } else {
      return {What::mismatch, i, j, s[i], r[j]};
    }
  }
  return c;
}

// [U57]
TEST(Compare, agrees_with_expanded_lists_on_random_types) {
  const int pairs = std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 1'000'000 : 100'000;
  Generator g(20261115);
  int seen[5] = {};
  for (int i = 0; i < pairs; ++i) {
    const Expanded sent = g.any(1 + static_cast<int>(g.pick(3)));
    Expanded received = g.chance(60)   ? g.like(sent.atoms)
                        : g.chance(50) ? g.any(2)
                                       : Expanded{make_dup(sent.type), sent.atoms};
    const std::size_t n = g.pick(4), m = g.chance(70) ? n : g.pick(5);
    const Atoms s = Generator::times(static_cast<std::int64_t>(n), sent.atoms);
    const Atoms r = Generator::times(static_cast<std::int64_t>(m), received.atoms);
    const Comparison found = compare(sent.type->signature, n, received.type->signature, m);
    const Comparison right = naive(s, r);
    ASSERT_EQ(static_cast<int>(found.what), static_cast<int>(right.what)) << "pair " << i;
    ++seen[static_cast<int>(found.what)];
    // Equality, as collectives need it.
    const Comparison whole = compare(sent.type->signature, n, received.type->signature, m, true);
    const bool packed =
        std::any_of(s.begin(), s.end(), [](Atom a) { return class_of(a) == AtomClass::packed; }) ||
        std::any_of(r.begin(), r.end(), [](Atom a) { return class_of(a) == AtomClass::packed; });
    const auto byte = [](Atom a) { return class_of(a) == AtomClass::byte; };
    const bool bytes =
        std::any_of(s.begin(), s.end(), byte) || std::any_of(r.begin(), r.end(), byte);
    if (!packed) {
      ASSERT_EQ(s == r, whole.what == What::fits) << "pair " << i;
      const bool all_alike = std::equal(s.begin(), s.end(), r.begin(), r.end(), alike);
      if (whole.what == What::equivalent && !bytes) {
        ASSERT_TRUE(all_alike) << "pair " << i;
      }
    }
    if (found.what != What::mismatch && found.what != What::equivalent) continue;
    ASSERT_EQ(found.item, right.item) << "pair " << i;
    ASSERT_EQ(found.into, right.into) << "pair " << i;
    ASSERT_TRUE(found.sent == s[right.item] && found.received == r[right.into]) << "pair " << i;
  }
  for (const What w : {What::fits, What::equivalent, What::mismatch, What::truncation}) {
    EXPECT_GT(seen[static_cast<int>(w)], pairs / 100) << static_cast<int>(w);
  }
}

TEST(Compare, needs_no_longer_for_large_counts) {
  const TypeRef pair =
      make_struct({1, 2}, {0, 8}, {named(Constant::double_), named(Constant::int_)});
  const TypeRef other =
      make_struct({1, 1, 1}, {0, 8, 12},
                  {named(Constant::double_), named(Constant::int_), named(Constant::float_)});
  const std::uint64_t many = std::uint64_t{1} << 33;
  EXPECT_EQ(compare(pair->signature, many, pair->signature, many + 1).what, What::fits);
  const Comparison c = compare(pair->signature, many, other->signature, many);
  EXPECT_EQ(c.what, What::mismatch);
  EXPECT_EQ(c.item, 2u);
}

// [U58]
TEST(Compare, whole_means_equal) {
  const SignatureRef ten = run_of(atom(Constant::int_), 10);
  EXPECT_EQ(compare(ten, 1, run_of(atom(Constant::int_), 1), 10, true).what, What::fits);
  EXPECT_EQ(compare(ten, 1, ten, 2, true).what, What::mismatch);
  EXPECT_EQ(compare(ten, 0, ten, 1, true).what, What::mismatch);
  EXPECT_EQ(compare(ten, 0, ten, 0, true).what, What::fits);
  EXPECT_EQ(compare(ten, 1, run_of(atom(Constant::byte), 40), 1, true).what, What::equivalent);
  const SignatureRef fortran = run_of(atom(Constant::integer), 10);
  EXPECT_EQ(compare(ten, 1, fortran, 1, true).what, What::equivalent);
  EXPECT_EQ(compare(ten, 1, fortran, 2, true).what, What::mismatch);
  EXPECT_EQ(compare(ten, 1, run_of(atom(Constant::byte), 44), 1, true).what, What::mismatch);
}

}  // namespace
}  // namespace vouch
