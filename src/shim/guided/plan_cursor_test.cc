#include "shim/guided/plan_cursor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace vouch::shim {
namespace {

struct Pick {
  PlanPickKind kind;
  std::uint64_t times;
  std::vector<std::int32_t> indices;
};
struct RankPlan {
  std::vector<PlanMatch> matches;
  std::vector<Pick> picks;
};

// The bytes of a plan, as src/record/plan.h lays them out.
class Bytes {
 public:
  explicit Bytes(const std::vector<RankPlan>& ranks) {
    put(PlanHeader{kPlanMagic, static_cast<std::uint32_t>(ranks.size()), 0});
    const std::size_t table = bytes_.size();
    for (std::size_t i = 0; i < ranks.size(); ++i) put(PlanRank{});
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      PlanRank rank{bytes_.size(), 0, ranks[i].matches.size(), ranks[i].picks.size()};
      for (const PlanMatch& match : ranks[i].matches) put(match);
      std::vector<std::uint64_t> at;
      for (const Pick& pick : ranks[i].picks) {
        at.push_back(bytes_.size());
        for (const std::int32_t index : pick.indices) put(index);
        while (bytes_.size() % 8 != 0) put(std::int32_t{0});
      }
      rank.picks = bytes_.size();
      for (std::size_t k = 0; k < at.size(); ++k) {
        const Pick& pick = ranks[i].picks[k];
        put(PlanPick{pick.times, pick.kind, static_cast<std::uint32_t>(pick.indices.size()),
                     at[k]});
      }
      std::memcpy(bytes_.data() + table + i * sizeof(PlanRank), &rank, sizeof rank);
    }
    const std::uint64_t all = bytes_.size();
    std::memcpy(bytes_.data() + offsetof(PlanHeader, bytes), &all, sizeof all);
  }
  std::vector<std::byte>& operator*() { return bytes_; }

 private:
  template <typename T>
  void put(const T& value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<std::byte> bytes_;
};

std::vector<RankPlan> random_plan(std::mt19937& random) {
  std::vector<RankPlan> ranks(1 + random() % 4);
  for (RankPlan& rank : ranks) {
    for (unsigned n = random() % 6; n > 0; --n)
      rank.matches.push_back({static_cast<int>(random() % 5) - 2, static_cast<int>(random() % 3)});
    for (unsigned n = random() % 5; n > 0; --n) {
      Pick pick{static_cast<PlanPickKind>(random() % 5), 1 + random() % 3, {}};
      for (unsigned k = random() % 4; k > 0; --k) pick.indices.push_back(static_cast<int>(k));
      rank.picks.push_back(pick);
    }
  }
  return ranks;
}

TEST(PlanCursor, random_plans_are_followed_in_order) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const std::vector<RankPlan> ranks = random_plan(random);
    Bytes bytes(ranks);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      PlanCursor cursor;
      cursor.open((*bytes).data(), (*bytes).size(), static_cast<int>(r));
      std::uint64_t number = 0;
      for (const PlanMatch& match : ranks[r].matches) {
        EXPECT_EQ(cursor.match(false).match.source, match.source);  // looked at, not taken
        const MatchDecision decision = cursor.match(true);
        EXPECT_EQ(decision.number, number++);
        EXPECT_EQ(decision.match.source, match.source);
        EXPECT_EQ(decision.match.tag, match.tag);
      }
      EXPECT_TRUE(cursor.match(true).free());
      for (const Pick& pick : ranks[r].picks) {
        for (std::uint64_t i = 0; i < pick.times; ++i) {
          const PickDecision decision = cursor.pick();
          EXPECT_EQ(decision.kind, pick.kind);
          EXPECT_EQ(std::vector<std::int32_t>(decision.indices, decision.indices + decision.count),
                    pick.indices);
        }
      }
      EXPECT_EQ(cursor.pick().kind, PlanPickKind::free);
    }
  }
}

TEST(PlanCursor, nothing_is_decided_once_stopped) {
  Bytes bytes({{{{1, 2}, {0, 2}}, {{PlanPickKind::yes, 3, {}}}}});
  PlanCursor cursor;
  cursor.open((*bytes).data(), (*bytes).size(), 0);
  EXPECT_FALSE(cursor.match(true).free());
  cursor.stop();
  EXPECT_TRUE(cursor.match(true).free());
  EXPECT_EQ(cursor.pick().kind, PlanPickKind::free);
}

TEST(PlanCursor, damaged_plans_decide_within_their_bytes_or_nothing) {
  std::mt19937 random(6);
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes(random_plan(random));
    std::vector<std::byte>& all = *bytes;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      all[random() % all.size()] = static_cast<std::byte>(random());
    // A copy that ends where the plan does, so that a sanitizer sees what lies behind.
    const std::vector<std::byte> exact(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                       random() % 8 == 0 ? random() % all.size() : all.size()));
    PlanCursor cursor;
    cursor.open(exact.data(), exact.size(), static_cast<int>(random() % 5) - 1);
    for (int i = 0; i < 20; ++i) {
      cursor.match(true);
      const PickDecision pick = cursor.pick();
      for (std::uint32_t k = 0; k < pick.count; ++k) {
        const auto at = reinterpret_cast<std::uintptr_t>(pick.indices + k);
        const auto first = reinterpret_cast<std::uintptr_t>(exact.data());
        ASSERT_LE(first, at);
        ASSERT_LE(at + sizeof(std::int32_t), first + exact.size());
      }
    }
  }
}

}  // namespace
}  // namespace vouch::shim
