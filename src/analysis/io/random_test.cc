// Views and conflicts against the plain way: a byte at a time, every pair of accesses.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "analysis/io/conflict.h"
#include "analysis/io/view.h"

namespace vouch {
namespace {

TEST(TilesRandom, agree_with_bytes) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int64_t> lengths, at;
    std::int64_t next = 0;
    for (int i = 1 + below(4); i > 0; --i) {
      next += below(3);
      at.push_back(next * 4);
      lengths.push_back(1 + below(3));
      next += lengths.back();
    }
    TypeRef type = make_hindexed(lengths, at, make_named(Constant::int_, 4, 4));
    if (below(2) == 0) type = make_resized(0, (next + below(3)) * 4, type);
    std::vector<std::int64_t> bytes;  // of one tile, in order
    for_each_interval(type->layout, 0, [&](const Interval& i) {
      for (std::int64_t b = i.lo; b < i.hi; ++b) bytes.push_back(b);
      return true;
    });
    const std::int64_t disp = below(20), from = below(60), n = below(80);
    std::vector<std::int64_t> plain, found;
    for (std::int64_t k = from; k < from + n; ++k) {
      const auto size = static_cast<std::int64_t>(bytes.size());
      plain.push_back(disp + k / size * type->extent() + bytes[static_cast<std::size_t>(k % size)]);
    }
    const Tiles tiles(*type);
    ASSERT_TRUE(tiles.known());
    std::int64_t last = -1;
    ASSERT_TRUE(tiles.for_each_range(disp, from, n, [&](std::int64_t lo, std::int64_t hi) {
      EXPECT_LT(lo, hi);
      EXPECT_NE(lo, last) << "neighbours must be joined";
      last = hi;
      for (std::int64_t b = lo; b < hi; ++b) found.push_back(b);
    }));
    ASSERT_EQ(found, plain) << "round " << round;
  }
}

struct Done {
  FileAccess access;
  int rank;
  std::int64_t lo, hi;
};

TEST(ConflictRandom, agrees_with_all_pairs) {
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::size_t conflicting = 0;
  for (int round = 0; round < 4000; ++round) {
    const int ranks = 2 + below(4);
    // Each rank's own course; syncs are collective, so all have equally many in the end.
    const int syncs = below(5);
    std::vector<std::vector<Done>> courses(static_cast<std::size_t>(ranks));
    std::vector<std::vector<std::uint32_t>> settled(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      FileAccess now;
      for (int s = 0; s <= syncs; ++s) {
        for (int k = below(3); k > 0; --k) {
          Done d{now, r, below(30), 0};
          d.hi = d.lo + 1 + below(8);
          d.access.site = Site{static_cast<std::uint32_t>(1 + below(3))};
          d.access.writes = d.access.site.value == 1;  // a site either reads or writes
          d.access.proc = d.access.writes ? Proc::file_write_at : Proc::file_read_at;
          courses[static_cast<std::size_t>(r)].push_back(d);
        }
        ++now.synced;
        if (now.synced > 1 && below(2) == 0) now.settled = now.synced;
        settled[static_cast<std::size_t>(r)].push_back(now.settled);
      }
    }
    // All pairs.
    struct Expected {
      int a = -1, b = -1;
      std::uint32_t site_a = 0, site_b = 0;
      std::set<std::int64_t> bytes;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expected> expected;
    for (const auto& x : courses) {
      for (const Done& p : x) {
        for (const auto& y : courses) {
          for (const Done& q : y) {
            if (p.rank >= q.rank || (!p.access.writes && !q.access.writes)) continue;
            if (!unsettled(p.access, q.access) || p.lo >= q.hi || q.lo >= p.hi) continue;
            const std::uint32_t s = p.access.site.value, t = q.access.site.value;
            Expected& e = expected[std::minmax(s, t)];
            const auto mine = std::tuple(p.rank, q.rank, s, t);
            const auto best = std::tuple(e.a, e.b, e.site_a, e.site_b);
            if (e.a < 0 || mine < best) {
              e = {p.rank, q.rank, s, t, {}};
            } else if (mine > best) {
              continue;
            }
            for (std::int64_t b = std::max(p.lo, q.lo); b < std::min(p.hi, q.hi); ++b)
              e.bytes.insert(b);
          }
        }
      }
    }
    conflicting += !expected.empty();
    // The same in two random interleavings.
    for (int order = 0; order < 2; ++order) {
      FileConflicts conflicts(ranks);
      std::vector<std::size_t> at(static_cast<std::size_t>(ranks)), sync(at);
      for (;;) {
        std::vector<int> able;
        for (int r = 0; r < ranks; ++r) {
          const auto i = static_cast<std::size_t>(r);
          if (at[i] < courses[i].size() || sync[i] < settled[i].size()) able.push_back(r);
        }
        if (able.empty()) break;
        const int r = able[static_cast<std::size_t>(below(static_cast<int>(able.size())))];
        const auto i = static_cast<std::size_t>(r);
        if (at[i] < courses[i].size() && courses[i][at[i]].access.synced == sync[i]) {
          const Done& d = courses[i][at[i]++];
          conflicts.add(conflicts.group_of(d.access), r, d.lo, d.hi);
        } else {
          const std::uint32_t before = sync[i] == 0 ? 0 : settled[i][sync[i] - 1];
          if (settled[i][sync[i]] != before) conflicts.settle(r, settled[i][sync[i]]);
          ++sync[i];
        }
      }
      ASSERT_EQ(conflicts.conflicts().size(), expected.size()) << "round " << round;
      for (const auto& [sites, c] : conflicts.conflicts()) {
        const auto e = expected.find(sites);
        ASSERT_NE(e, expected.end());
        EXPECT_EQ(c.rank_a, e->second.a);
        EXPECT_EQ(c.rank_b, e->second.b);
        EXPECT_EQ(c.lo, *e->second.bytes.begin()) << "round " << round;
        EXPECT_EQ(c.hi, *e->second.bytes.rbegin() + 1) << "round " << round;
      }
    }
  }
  EXPECT_GT(conflicting, 1000u);
}

// What a rank does: accesses, some to bytes that are not known, and syncs that settle or do not.
struct Step {
  FileAccess access;
  bool known = true;
  std::uint32_t settles = 0;  // 0: it is an access
};
using Course = std::vector<Step>;

bool may_conflict(const std::vector<Course>& courses) {
  for (std::size_t r = 0; r < courses.size(); ++r) {
    for (std::size_t q = r + 1; q < courses.size(); ++q) {
      for (const Step& a : courses[r]) {
        for (const Step& b : courses[q]) {
          if (a.settles == 0 && b.settles == 0 && (a.access.writes || b.access.writes) &&
              (!a.known || !b.known) && unsettled(a.access, b.access))
            return true;
        }
      }
    }
  }
  return false;
}

TEST(ConflictRandom, bytes_not_known_in_any_order) {
  std::mt19937 random(5);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::size_t conflicting = 0, rounds = 4000;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Course> courses(2 + below(3));
    const std::size_t syncs = below(5);
    for (Course& course : courses) {
      FileAccess now{Site{1}, Proc::file_write_at};
      for (std::size_t s = 0; s <= syncs; ++s) {
        now.writes = below(2) == 0;
        if (below(3) == 0) course.push_back({now, below(2) == 0});
        if (s == syncs) break;
        if (++now.synced == 1 || below(3) == 0) continue;
        now.settled = now.synced;
        course.push_back({now, true, now.settled});
      }
    }
    const bool expected = may_conflict(courses);
    conflicting += expected;
    for (int order = 0; order < 4; ++order) {
      FileConflicts conflicts(static_cast<int>(courses.size()));
      std::vector<std::size_t> at(courses.size());
      for (std::size_t left = 1; left > 0;) {
        const std::size_t r = below(courses.size());
        if (at[r] < courses[r].size()) {
          const Step& step = courses[r][at[r]++];
          const auto rank = static_cast<int>(r);
          const std::int64_t lo = rank * 8;
          if (step.settles > 0) {
            conflicts.settle(rank, step.settles);
          } else if (step.known) {
            conflicts.add(conflicts.group_of(step.access), rank, lo, lo + 8);
          } else {
            conflicts.add_unplaced(step.access, rank, false);
          }
        }
        left = 0;
        for (std::size_t q = 0; q < courses.size(); ++q) left += courses[q].size() - at[q];
      }
      Site site;
      ASSERT_EQ(conflicts.unplaced(site), expected) << "round " << round;
    }
  }
  EXPECT_GT(conflicting, rounds / 10);
  EXPECT_LT(conflicting, rounds * 9 / 10);
}

TEST(ConflictRandom, memory_follows_what_is_unsettled) {
  FileConflicts conflicts(2);
  FileAccess access{Site{1}, Proc::file_write_at, true, 0, 0};
  for (int step = 0; step < 10000; ++step) {
    for (int r = 0; r < 2; ++r)
      conflicts.add(conflicts.group_of(access), r, step * 8 + r * 4, step * 8 + r * 4 + 4);
    access.settled = ++access.synced > 1 ? access.synced : 0;
    for (int r = 0; r < 2 && access.settled > 0; ++r) conflicts.settle(r, access.settled);
    ASSERT_LE(conflicts.segments(), 8u);
  }
  EXPECT_TRUE(conflicts.conflicts().empty());
}

}  // namespace
}  // namespace vouch
