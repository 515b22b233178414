#include "model/datatype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>

#include "event/text.h"
#include "model/ascent.h"

namespace vouch {
namespace {

// A type written out: its entries in order, each an atom at a displacement. Markers are entries
// too, of no bytes.
struct Naive {
  struct Entry {
    Atom atom;
    std::int64_t at;
  };
  std::vector<Entry> entries;
  std::int64_t lb = 0, ub = 0;
  std::int64_t extent() const { return ub - lb; }
};

struct Both {
  TypeRef type;
  Naive naive;
};

TypeRef named(Constant c) {
  const TextSize s = text_size(c);
  return make_named(c, s.size, s.extent);
}

Both basic(Constant c) {
  const TypeRef t = named(c);
  Both b{t, {}};
  b.naive.entries = {{atom_of(c, t->size), 0}};
  b.naive.ub = t->ub;
  return b;
}

void place(Naive& into, const Naive& part, std::int64_t at) {
  for (const Naive::Entry& e : part.entries) into.entries.push_back({e.atom, e.at + at});
}

class Types {
 public:
  explicit Types(std::uint64_t seed) : random_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  // Bounds of the naive side are taken over: they have tests of their own below.
  Both make(int depth) {
    if (depth == 0) {
      static constexpr Constant kBasic[] = {
          Constant::int_,  Constant::double_, Constant::char_, Constant::short_,
          Constant::long_, Constant::float_,  Constant::byte,  Constant::c_double_complex};
      return basic(kBasic[number(0, 7)]);
    }
    const Both old = make(depth - 1);
    const std::int64_t e = old.type->extent();
    Both b;
    switch (number(0, 7)) {
      case 0: {
        const std::int64_t n = number(0, 3);
        b.type = make_contiguous(n, old.type);
        for (std::int64_t i = 0; i < n; ++i) place(b.naive, old.naive, i * e);
        break;
      }
      case 1: {
        const std::int64_t n = number(0, 3), bl = number(0, 3), stride = number(-3, 4);
        b.type = make_vector(n, bl, stride, old.type);
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t k = 0; k < bl; ++k) place(b.naive, old.naive, (i * stride + k) * e);
        }
        break;
      }
      case 2: {
        const std::int64_t n = number(0, 3), bl = number(0, 2), stride = number(-20, 20);
        b.type = make_hvector(n, bl, stride, old.type);
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t k = 0; k < bl; ++k) place(b.naive, old.naive, i * stride + k * e);
        }
        break;
      }
      case 3: {
        std::vector<std::int64_t> lengths, at;
        for (std::int64_t i = number(0, 4); i > 0; --i) {
          lengths.push_back(number(0, 2));
          at.push_back(number(-4, 6));
        }
        b.type = make_indexed(lengths, at, old.type);
        for (std::size_t i = 0; i < at.size(); ++i) {
          for (std::int64_t k = 0; k < lengths[i]; ++k) place(b.naive, old.naive, (at[i] + k) * e);
        }
        break;
      }
      case 4: {
        std::vector<std::int64_t> at;
        for (std::int64_t i = number(0, 4); i > 0; --i) at.push_back(number(-20, 40));
        const std::int64_t bl = number(0, 2);
        b.type = make_hindexed_block(bl, at, old.type);
        for (const std::int64_t a : at) {
          for (std::int64_t k = 0; k < bl; ++k) place(b.naive, old.naive, a + k * e);
        }
        break;
      }
      case 5: {
        const Both other = make(depth - 1);
        const std::vector<std::int64_t> lengths{number(0, 2), number(0, 2), 1},
            at{number(-8, 8), number(0, 40), number(0, 60)};
        const std::vector<const Both*> parts{&old, &other, &old};
        b.type = make_struct(lengths, at, {old.type, other.type, old.type});
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::int64_t k = 0; k < lengths[i]; ++k)
            place(b.naive, parts[i]->naive, at[i] + k * parts[i]->type->extent());
        }
        break;
      }
      case 6: {
        b.type = make_resized(number(-8, 8), number(-10, 30),
                              old.type);  // zero and negative extents too [U19]
        b.naive = old.naive;
        break;
      }
      default: {
        const std::int64_t rows = number(1, 3), columns = number(1, 4);
        const std::int64_t sr = number(0, rows), sc = number(0, columns);
        const std::int64_t r0 = number(0, rows - sr), c0 = number(0, columns - sc);
        b.type = make_subarray({rows, columns}, {sr, sc}, {r0, c0}, false, old.type);
        for (std::int64_t r = r0; r < r0 + sr; ++r) {
          for (std::int64_t c = c0; c < c0 + sc; ++c)
            place(b.naive, old.naive, (r * columns + c) * e);
        }
      }
    }
    return b;
  }

 private:
  std::mt19937_64 random_;
};

std::vector<std::uint32_t> atoms(const Naive& n) {
  std::vector<std::uint32_t> ids;
  for (const Naive::Entry& e : n.entries) ids.push_back(e.atom.id);
  return ids;
}

std::map<std::int64_t, int> bytes(const Naive& n) {
  std::map<std::int64_t, int> touched;
  for (const Naive::Entry& e : n.entries) {
    for (std::uint32_t i = 0; i < e.atom.bytes; ++i) ++touched[e.at + i];
  }
  return touched;
}

std::map<std::int64_t, int> bytes(const LayoutRef& l, std::int64_t base = 0) {
  std::map<std::int64_t, int> touched;
  for_each_interval(l, base, [&](const Interval& i) {
    for (std::int64_t b = i.lo; b < i.hi; ++b) ++touched[b];
    return true;
  });
  return touched;
}

// [U12]: digests are equal exactly where the expansions are, for wholes and for prefixes.
TEST(Signature, digests_equal_iff_expansions_equal) {
  std::map<std::vector<std::uint32_t>, Digest> by_expansion;
  std::map<std::array<std::uint64_t, 4>, std::vector<std::uint32_t>> by_digest;
  Types types(11);
  for (int i = 0; i < 100000; ++i) {
    const Both b = types.make(static_cast<int>(types.number(1, 4)));
    const std::vector<std::uint32_t> expansion = atoms(b.naive);
    const Digest d = b.type->signature->digest;
    ASSERT_EQ(d.atoms, expansion.size());
    ASSERT_EQ(d.bytes, static_cast<std::uint64_t>(b.type->size));
    const auto [known, fresh] = by_expansion.emplace(expansion, d);
    ASSERT_EQ(known->second, d);
    const auto [twin, first] = by_digest.emplace(
        std::array<std::uint64_t, 4>{d.atoms, d.bytes, d.h[0], d.h[1]}, expansion);
    ASSERT_EQ(twin->second, expansion);
  }
  EXPECT_GT(by_expansion.size(), 4000u);
}

TEST(Signature, prefixes_and_positions) {
  Types types(12);
  for (int i = 0; i < 3000; ++i) {
    const Both b = types.make(static_cast<int>(types.number(1, 3)));
    const SignatureRef& s = b.type->signature;
    std::vector<SignatureRef> parts;
    for (std::size_t k = 0; k < b.naive.entries.size() && k < 60; ++k) {
      ASSERT_EQ(prefix(s, k), sequence(parts)->digest);
      ASSERT_EQ(atom_at(s, k), b.naive.entries[k].atom);
      parts.push_back(run_of(b.naive.entries[k].atom, 1));
    }
    ASSERT_EQ(prefix(s, b.naive.entries.size() + 5), s->digest);
    ASSERT_EQ(digest_of(s, 3), repeat(3, s)->digest);
  }
}

TEST(Signature, first_difference) {
  const TypeRef i = named(Constant::int_), d = named(Constant::double_);
  const TypeRef a = make_struct({5, 1, 2}, {0, 32, 40}, {i, d, i}),
                b = make_struct({5, 1, 1, 1}, {0, 32, 40, 48}, {i, d, i, d});
  EXPECT_EQ(first_difference(a->signature, b->signature), 7u);
  EXPECT_EQ(first_difference(a->signature, make_contiguous(5, i)->signature), 5u);
  EXPECT_EQ(first_difference(a->signature, a->signature), 8u);
}

TEST(Signature, synonyms_pairs_and_fortran) {
  EXPECT_EQ(named(Constant::long_long)->signature->digest,
            named(Constant::long_long_int)->signature->digest);
  EXPECT_EQ(named(Constant::_2int)->signature->digest,
            make_contiguous(2, named(Constant::int_))->signature->digest);
  EXPECT_NE(named(Constant::int_)->signature->digest, named(Constant::integer)->signature->digest);
  const auto real = [](std::int64_t p, std::int64_t r) {
    return make_f90(Constant::combiner_f90_real, p, r)->signature->digest;
  };
  EXPECT_EQ(real(15, 307), real(15, 307));
  EXPECT_NE(real(15, 307), real(14, 307));
  EXPECT_NE(real(6, 30), make_f90(Constant::combiner_f90_complex, 6, 30)->signature->digest);
  EXPECT_EQ(name_of(f90_atom(Constant::combiner_f90_real, 15, -1)), "REAL(p=15, r=any)");
}

// Pieces are those of the byte set, in order, wherever one begins to look.
void expect_ascends(const Ascent& a, const std::map<std::int64_t, int>& bytes) {
  std::int64_t from = a.lo;
  Interval piece{0, 0};
  for (auto at = bytes.begin(); at != bytes.end();) {
    const std::int64_t lo = at->first;
    std::int64_t hi = lo;
    while (at != bytes.end() && at->first == hi) ++at, ++hi;
    while (from < hi) {
      ASSERT_TRUE(next_piece(a, 0, from, piece));
      ASSERT_LE(piece.lo, std::max(from, lo));
      ASSERT_LE(piece.hi, hi);
      ASSERT_GE(piece.lo, lo);
      ASSERT_EQ((piece.lo - a.lo) % a.grid, 0);
      ASSERT_EQ((piece.hi - a.lo) % a.grid, 0);
      from = piece.hi;
    }
  }
  ASSERT_FALSE(next_piece(a, 0, from, piece));
}

Overlap overlap(const LayoutRef& a, std::int64_t base_a, const LayoutRef& b, std::int64_t base_b) {
  bool over = false;
  const AscentRef x = ascent_of(a, over), y = ascent_of(b, over);
  if (x == nullptr || y == nullptr) return over ? Overlap::over_budget : Overlap::no;
  bool meet = false;
  const bool decided = for_each_shared(*x, base_a, *y, base_b, [&](Interval, Interval) {
    meet = true;
    return false;
  });
  return !decided ? Overlap::over_budget : meet ? Overlap::yes : Overlap::no;
}

// [U19]: the byte set against a byte oracle; negative lower bounds, zero and negative extents come
// from make_resized.
TEST(Layout, touches_the_bytes_of_the_expansion) {
  Types types(13);
  for (int i = 0; i < 20000; ++i) {
    const Both b = types.make(static_cast<int>(types.number(0, 3)));
    const std::map<std::int64_t, int> expected = bytes(b.naive);
    ASSERT_EQ(bytes(b.type->layout), expected);
    ASSERT_EQ(b.type->true_lb, expected.empty() ? 0 : expected.begin()->first);
    ASSERT_EQ(b.type->true_ub, expected.empty() ? 0 : expected.rbegin()->first + 1);
    // Several elements, extent apart.
    std::map<std::int64_t, int> three;
    for (int k = 0; k < 3; ++k) {
      for (const auto& [at, times] : expected) three[at + k * b.type->extent()] += times;
    }
    const LayoutRef buffer = buffer_layout(b.type->layout, b.type->extent(), 3);
    ASSERT_EQ(bytes(buffer), three);
    const bool twice =
        std::any_of(three.begin(), three.end(), [](const auto& e) { return e.second > 1; });
    bool over = false;
    const AscentRef ascent = ascent_of(buffer, over);
    ASSERT_FALSE(over);
    ASSERT_EQ(ascent == nullptr, three.empty());
    if (ascent == nullptr) continue;
    ASSERT_EQ(ascent->twice, twice);
    ASSERT_EQ(ascent->bytes, static_cast<std::int64_t>(three.size()));
    expect_ascends(*ascent, three);
  }
}

TEST(Layout, overlap_agrees_with_the_oracle) {
  Types types(14);
  for (int i = 0; i < 20000; ++i) {
    const Both a = types.make(static_cast<int>(types.number(0, 2))),
               b = types.make(static_cast<int>(types.number(0, 2)));
    const std::int64_t shift = types.number(-40, 40);
    const auto x = bytes(a.type->layout), y = bytes(b.type->layout, shift);
    const bool meet =
        std::any_of(x.begin(), x.end(), [&](const auto& e) { return y.contains(e.first); });
    ASSERT_EQ(overlap(a.type->layout, 0, b.type->layout, shift), meet ? Overlap::yes : Overlap::no);
  }
}

TEST(Layout, columns_beside_each_other) {  // [U20]
  const TypeRef column = make_vector(1000000, 1, 8, named(Constant::double_));
  EXPECT_EQ(overlap(column->layout, 0, column->layout, 8), Overlap::no);
  EXPECT_EQ(overlap(column->layout, 0, column->layout, 4), Overlap::yes);
  const TypeRef ragged =
      make_hvector(1000000, 1, 64, make_indexed({1, 1}, {0, 3}, named(Constant::int_)));
  EXPECT_EQ(overlap(ragged->layout, 0, ragged->layout, 4), Overlap::no);
  EXPECT_EQ(overlap(ragged->layout, 0, ragged->layout, 12), Overlap::yes);
}

TEST(Ascent, many_columns_are_not_unrolled) {
  const std::int64_t n = 100000;
  const TypeRef column = make_resized(0, 8, make_vector(n, 1, n, named(Constant::double_)));
  bool over = false;
  const AscentRef all = ascent_of(buffer_layout(column->layout, column->extent(), n), over);
  ASSERT_FALSE(over);
  EXPECT_EQ(all->unrolled, 1u);
  EXPECT_EQ(all->bytes, n * n * 8);
  EXPECT_FALSE(all->twice);
  const AscentRef one_more =
      ascent_of(buffer_layout(column->layout, column->extent(), n + 1), over);
  ASSERT_FALSE(over);
  EXPECT_TRUE(one_more->twice);
}

TEST(Ascent, a_million_blocks_in_any_order) {
  std::vector<std::int64_t> lengths, places;
  for (std::int64_t i = 0; i < 1000000; ++i) {
    lengths.push_back(1);
    places.push_back(3 * (i * 7919 % 1000003));
  }
  bool over = false;
  const TypeRef type = make_indexed(lengths, places, named(Constant::int_));
  const AscentRef a = ascent_of(type->layout, over);
  ASSERT_FALSE(over);
  EXPECT_EQ(a->size, 1000000u);
  EXPECT_FALSE(a->twice);
  EXPECT_EQ(a->grid, 4);
  EXPECT_EQ(overlap(type->layout, 0, type->layout, 4), Overlap::no);
  EXPECT_EQ(overlap(type->layout, 0, type->layout, 3), Overlap::yes);
}

TEST(Ascent, more_interleaved_pieces_than_are_unrolled) {
  bool over = false;
  const TypeRef ragged =
      make_hvector(1000, 1, 8, make_indexed({1, 1}, {0, 3}, named(Constant::int_)));
  EXPECT_EQ(ascent_of(ragged->layout, over, 100), nullptr);
  EXPECT_TRUE(over);
}

// [U13]
TEST(Datatype, huge_counts_cost_nothing) {
  double best = 1;  // the least of several: others use this machine too
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    TypeRef t = named(Constant::int_);
    for (int i = 0; i < 4; ++i) t = make_vector(1000, 2, 3, t);
    const Digest d = digest_of(t->signature, std::uint64_t{1} << 33);
    const LayoutRef l = buffer_layout(t->layout, t->extent(), std::int64_t{1} << 10);
    const auto spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, std::chrono::duration<double>(spent).count());
    EXPECT_EQ(d.atoms, (std::uint64_t{1} << 33) * 16 * 1000000000000u);
    EXPECT_EQ(l->bytes, (std::int64_t{1} << 10) * 4 * 16 * 1000000000000);
    EXPECT_EQ(l->hi, t->true_ub + ((std::int64_t{1} << 10) - 1) * t->extent());
  }
  EXPECT_LT(best, 0.001);
}

// Bounds
TEST(Datatype, bounds) {
  const TypeRef i = named(Constant::int_), d = named(Constant::double_), c = named(Constant::char_);
  const TypeRef padded = make_struct({1, 1}, {0, 8}, {d, c});
  EXPECT_EQ(padded->size, 9);
  EXPECT_EQ(padded->extent(), 16);  // rounded up to the alignment of double
  EXPECT_EQ(padded->true_extent(), 9);
  const TypeRef down = make_vector(3, 1, -2, i);
  EXPECT_EQ(down->lb, -16);
  EXPECT_EQ(down->ub, 4);
  EXPECT_EQ(make_contiguous(0, i)->extent(), 0);
  const TypeRef resized = make_resized(-4, 20, i);
  EXPECT_EQ(resized->lb, -4);
  EXPECT_EQ(resized->ub, 16);
  EXPECT_EQ(make_contiguous(2, resized)->ub, 36);
  // An explicit bound outweighs entries beyond it.
  EXPECT_EQ(make_struct({1, 1}, {0, 100}, {resized, i})->ub, 16);
  EXPECT_EQ(make_struct({1, 1}, {0, 100}, {resized, i})->true_ub, 104);
  EXPECT_EQ(
      make_struct({1, 1, 1}, {-3, 0, 50}, {named(Constant::lb), i, named(Constant::ub)})->extent(),
      53);
  EXPECT_EQ(make_dup(resized)->extent(), 20);
}

TEST(Datatype, what_cannot_be_made_is_not_known) {
  const TypeRef i = named(Constant::int_);
  EXPECT_EQ(make_vector(1, -1, 1, i), nullptr);
  EXPECT_EQ(make_contiguous(3, nullptr), nullptr);
  EXPECT_EQ(make_subarray({4}, {3}, {2}, false, i), nullptr);
  EXPECT_EQ(make_darray(3, 0, {{4, Distribution::block, -1, 2}}, false, i), nullptr);
}

TEST(Datatype, subarray_in_fortran_order) {
  // Columns of a 3 x 4 Fortran array: the first index is the fast one.
  const TypeRef t = make_subarray({3, 4}, {2, 2}, {1, 1}, true, named(Constant::int_));
  EXPECT_EQ(t->extent(), 48);
  std::vector<std::int64_t> at;
  for_each_interval(t->layout, 0, [&](const Interval& i) {
    for (std::int64_t b = i.lo; b < i.hi; b += 4) at.push_back(b / 4);
    return true;
  });
  EXPECT_EQ(at, (std::vector<std::int64_t>{4, 5, 7, 8}));
}

// The shares of all processes together are the whole array, each element once.
TEST(Datatype, darray_shares_cover_the_array) {
  Types types(15);
  for (int round = 0; round < 2000; ++round) {
    std::vector<DarrayDim> dims;
    std::int64_t size = 1, elements = 1;
    for (std::int64_t d = types.number(1, 3); d > 0; --d) {
      DarrayDim dim{types.number(1, 9), static_cast<Distribution>(types.number(0, 2)), -1,
                    types.number(1, 3)};
      if (dim.distribution == Distribution::none) dim.processes = 1;
      if (types.number(0, 1) == 1) {
        dim.argument = dim.distribution == Distribution::cyclic
                           ? types.number(1, 4)
                           : (dim.gsize + dim.processes - 1) / dim.processes + types.number(0, 2);
      }
      size *= dim.processes;
      elements *= dim.gsize;
      dims.push_back(dim);
    }
    const bool fortran = types.number(0, 1) == 1;
    std::map<std::int64_t, int> touched;
    for (std::int64_t rank = 0; rank < size; ++rank) {
      const TypeRef t = make_darray(size, rank, dims, fortran, named(Constant::int_));
      ASSERT_NE(t, nullptr);
      ASSERT_EQ(t->extent(), elements * 4);
      for (const auto& [at, times] : bytes(t->layout)) touched[at] += times;
    }
    ASSERT_EQ(touched.size(), static_cast<std::size_t>(elements * 4));
    ASSERT_EQ(touched.begin()->first, 0);
    for (const auto& [at, times] : touched) ASSERT_EQ(times, 1);
  }
}

TEST(Datatype, darray_cyclic_by_hand) {
  // 7 elements, blocks of 2, 2 processes: rank 0 has 0 1 4 5, rank 1 has 2 3 6.
  const auto places = [](std::int64_t rank) {
    const TypeRef t =
        make_darray(2, rank, {{7, Distribution::cyclic, 2, 2}}, false, named(Constant::byte));
    std::vector<std::int64_t> at;
    for (const auto& [b, times] : bytes(t->layout)) at.push_back(b);
    return at;
  };
  EXPECT_EQ(places(0), (std::vector<std::int64_t>{0, 1, 4, 5}));
  EXPECT_EQ(places(1), (std::vector<std::int64_t>{2, 3, 6}));
}

}  // namespace
}  // namespace vouch
