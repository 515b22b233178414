#include "wait/rank_list.h"

#include <gtest/gtest.h>

namespace vouch::wait {
namespace {

using Ranks = std::vector<Rank>;

Ranks all(const RankList& list) { return {list.begin(), list.end()}; }

TEST(RankList, keeps_its_order) {
  for (const Ranks& ranks : {Ranks{}, Ranks{4}, Ranks{0, 1, 2, 3}, Ranks{7, 5, 3, 0, 1, 9},
                             Ranks{0, 2, 4, 5, 6, 1}, Ranks{3, 2, 1, 0}}) {
    RankList list;
    for (const Rank r : ranks) list.push_back(r);
    EXPECT_EQ(all(list), ranks);
    EXPECT_EQ(list.size(), ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      EXPECT_EQ(list[i], ranks[i]);
      EXPECT_EQ(list.place_of(ranks[i]), static_cast<std::int64_t>(i));
    }
    for (Rank r = 0; r < 12; ++r)
      EXPECT_EQ(list.contains(r), std::find(ranks.begin(), ranks.end(), r) != ranks.end()) << r;
  }
}

TEST(RankList, a_million_are_a_run) {
  RankList list;
  for (Rank r = 0; r < 1'000'000; ++r) list.push_back(r);
  EXPECT_EQ(list.runs().size(), 1u);
}

TEST(RankList, only_those_below_are_visited) {
  const auto below = [](const RankList& list, Rank end, bool whole) {
    Ranks seen;
    EXPECT_EQ(list.visit_below(end, [&](Rank r) { seen.push_back(r); }), whole);
    return seen;
  };
  RankList up, down, steps;
  up.add({0, 1, 1 << 20});
  down.add({(1 << 20) - 1, -1, 1 << 20});
  steps.add({9, -3, 4});
  steps.add({2, 5, 2});
  EXPECT_EQ(below(up, 3, false), (Ranks{0, 1, 2}));
  EXPECT_EQ(below(down, 3, false), (Ranks{2, 1, 0}));
  EXPECT_EQ(below(steps, 10, true), (Ranks{9, 6, 3, 0, 2, 7}));
  EXPECT_EQ(below(steps, 7, false), (Ranks{6, 3, 0, 2}));
  EXPECT_EQ(below(steps, 6, false), (Ranks{3, 0, 2}));
  EXPECT_EQ(below({}, 6, true), Ranks{});
}

}  // namespace
}  // namespace vouch::wait
