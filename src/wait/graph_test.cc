#include "wait/graph.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace vouch::wait {
namespace {

constexpr Rank kMillion = 1 << 20;

RankSet set_of(const std::set<Rank>& ranks) {
  RankSet set;
  for (const Rank r : ranks) set.add(r);
  return set;
}

TEST(Targets, are_members_that_have_not_come) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<Rank>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 2000; ++round) {
    const auto group = std::make_shared<Group>();
    std::set<Rank> members, came;
    for (int n = below(4); n > 0; --n) {
      RankList::Run run{below(40), below(7) - 3, 1 + below(6)};
      if (run.stride == 0) run.length = 1;
      group->members.add(run);
      for (std::int32_t i = 0; i < run.length; ++i) members.insert(run[i]);
    }
    for (int n = below(12); n > 0; --n) came.insert(below(50));
    Snapshot snapshot;
    snapshot.waves.push_back({7, 1, set_of(came)});
    const Rank end = 1 + below(60);
    snapshot.running.add(end - 1);
    std::erase_if(members, [&](Rank r) { return r < 0 || r >= end; });
    Term any{.kind = Term::Kind::any}, wave{.kind = Term::Kind::wave};
    any.comm = wave.comm = 7;
    wave.wave = 1;
    const Rank self = below(40);
    std::set<Rank> others = members, missing = members;
    others.erase(self);
    for (const Rank r : came) missing.erase(r);
    const Groups groups{{7, group}};
    EXPECT_EQ(targets(any, self, snapshot, groups), set_of(others)) << "round " << round;
    EXPECT_EQ(targets(wave, self, snapshot, groups), set_of(missing)) << "round " << round;
  }
}

TEST(Targets, of_a_million_are_two_runs) {
  const auto group = std::make_shared<Group>();
  group->members.add({kMillion - 1, -1, kMillion});
  Snapshot snapshot;
  snapshot.running.add(0, kMillion - 1);
  snapshot.waves.push_back({7, 1, set_of({3})});
  Term any{.kind = Term::Kind::any}, wave{.kind = Term::Kind::wave};
  any.comm = wave.comm = 7;
  wave.wave = 1;
  const Groups groups{{7, group}};
  const std::vector<RankSet::Run> all_but_3{{0, 2}, {4, kMillion - 1}};
  // Each term of each rank asks.
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(targets(any, 3, snapshot, groups).runs(), all_but_3);
    ASSERT_EQ(targets(wave, 5, snapshot, groups).runs(), all_but_3);
  }
}

TEST(Targets, of_a_million_with_gaps_cost_what_the_snapshot_shows) {
  const auto group = std::make_shared<Group>();
  group->members.add({0, 2, kMillion / 2});
  group->others.add({kMillion - 1, -3, kMillion / 3});
  Snapshot snapshot;
  snapshot.running.add(0, 6);
  snapshot.waves.push_back({7, 1, set_of({4})});
  Term any{.kind = Term::Kind::any}, wave{.kind = Term::Kind::wave};
  any.comm = wave.comm = 7;
  wave.wave = 1;
  const Groups groups{{7, group}};
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(targets(any, 2, snapshot, groups).list(), (std::vector<int>{0, 4, 6}));
    ASSERT_EQ(targets(wave, 5, snapshot, groups).list(), (std::vector<int>{0, 2, 3, 6}));
  }
}

}  // namespace
}  // namespace vouch::wait
