// Which receives may get a message, against all orders in which messages can arrive.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "wait/assign.h"
#include "wait/random_traces_test.h"

namespace vouch::wait {
namespace {

using testing::pick;
using testing::Random;

// A library: receives are posted in order, messages of each source arrive in order, in any
// interleaving. What a message finds posted, first, takes it; what a receive finds there, first, it
// takes.
class Library {
 public:
  Library(std::vector<Wanted> wanted, std::vector<Arrived> there)
      : wanted_(std::move(wanted)), there_(std::move(there)) {
    run(0, {}, {}, {});
  }
  bool may_get(bool all) const { return may_be(all, true); }
  bool may_miss(bool all) const { return may_be(all, false); }

 private:
  bool may_be(bool all, bool over) const {
    return std::any_of(outcomes_.begin(), outcomes_.end(), [&](const std::set<std::size_t>& got) {
      std::size_t needed = 0, served = 0;
      for (std::size_t i = 0; i < wanted_.size(); ++i) {
        needed += wanted_[i].needed;
        served += wanted_[i].needed && got.contains(i);
      }
      return (all ? served == needed : served > 0) == over;
    });
  }
  static bool accepts(const Wanted& w, const Arrived& m) {
    return (w.source == kAnyRank || w.source == m.source) && (w.tag == kAnyTag || w.tag == m.tag);
  }
  void run(std::size_t posted, std::set<std::size_t> arrived, std::vector<std::size_t> lying,
           std::set<std::size_t> got) {
    if (!seen_.insert({posted, arrived, lying, got}).second) return;
    if (posted == wanted_.size() && arrived.size() == there_.size()) outcomes_.insert(got);
    if (posted < wanted_.size()) {
      auto left = lying;
      auto more = got;
      for (auto m = left.begin(); m != left.end(); ++m) {
        if (!accepts(wanted_[posted], there_[*m])) continue;
        left.erase(m);
        more.insert(posted);
        break;
      }
      run(posted + 1, arrived, left, more);
    }
    std::set<Rank> later;  // sources whose next message is not this one
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (arrived.contains(k) || !later.insert(there_[k].source).second) continue;
      auto here = arrived;
      here.insert(k);
      std::size_t r = 0;
      while (r < posted && (got.contains(r) || !accepts(wanted_[r], there_[k]))) ++r;
      auto left = lying;
      auto more = got;
      if (r < posted) {
        more.insert(r);
      } else {
        left.push_back(k);
      }
      run(posted, here, left, more);
    }
  }

  const std::vector<Wanted> wanted_;
  const std::vector<Arrived> there_;
  std::set<std::set<std::size_t>> outcomes_;
  std::set<std::tuple<std::size_t, std::set<std::size_t>, std::vector<std::size_t>,
                      std::set<std::size_t>>>
      seen_;
};

TEST(Assign, a_pending_wildcard_takes_the_only_message) {
  const Wanted any{}, one{1, 5, true};
  EXPECT_FALSE(may_get(std::vector{any, one}, std::vector{Arrived{1, 5}}, true));
  EXPECT_TRUE(may_miss(std::vector{any, one}, std::vector{Arrived{1, 5}}, true));
  EXPECT_TRUE(may_get(std::vector{one, any}, std::vector{Arrived{1, 5}}, true));
  // Another message may have been first.
  EXPECT_TRUE(may_get(std::vector{any, one}, std::vector{Arrived{1, 5}, {2, 5}}, true));
  EXPECT_TRUE(may_miss(std::vector{any, one}, std::vector{Arrived{1, 5}, {2, 5}}, true));
  EXPECT_TRUE(may_get(std::vector{any, one}, std::vector{Arrived{1, 5}, {1, 5}}, true));
  EXPECT_FALSE(may_miss(std::vector{any, one}, std::vector{Arrived{1, 5}, {1, 5}}, true));
}

TEST(Assign, one_message_is_not_for_two) {
  const Wanted one{1, 5, true}, two{1, 5, true};
  EXPECT_FALSE(may_get(std::vector{one, two}, std::vector{Arrived{1, 5}}, true));
  EXPECT_TRUE(may_get(std::vector{one, two}, std::vector{Arrived{1, 5}}, false));
}

TEST(Assign, is_what_libraries_may_do) {
  int no = 0, too_hopeful = 0;
  const int rounds = std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 100000 : 3000;
  for (int i = 0; i < rounds; ++i) {
    Random random(static_cast<unsigned>(i));
    std::vector<Wanted> wanted(static_cast<std::size_t>(1 + pick(random, 4)));
    for (Wanted& w : wanted) w = {pick(random, 4) - 1, pick(random, 3) - 1, pick(random, 3) == 0};
    wanted.back().needed = true;
    std::vector<Arrived> there(static_cast<std::size_t>(1 + pick(random, 4)));
    for (Arrived& m : there) m = {pick(random, 3), pick(random, 2)};
    const Library library(wanted, there);
    for (const bool all : {true, false}) {
      const bool may = may_get(wanted, there, all);
      // Never the other way round: that would be a false alarm.
      ASSERT_TRUE(may || !library.may_get(all)) << "seed " << i;
      too_hopeful += may && !library.may_get(all);
      no += !may;
      const bool miss = may_miss(wanted, there, all);
      ASSERT_TRUE(miss || !library.may_miss(all)) << "seed " << i;
      too_hopeful += miss && !library.may_miss(all);
    }
  }
  EXPECT_GT(no, rounds / 20);
  EXPECT_LT(too_hopeful, rounds / 500);
}

// Many receives and messages, all alike: found out at once, though the choices are many.
TEST(Assign, equal_sources_are_one_choice) {
  std::vector<Wanted> wanted(20);
  wanted.push_back({1, 0, true});
  std::vector<Arrived> there;
  for (Rank r = 1; r <= 20; ++r) there.push_back({r, 0});
  EXPECT_FALSE(may_get(wanted, there, true));
  there.push_back({21, 0});
  EXPECT_TRUE(may_get(wanted, there, true));
}

}  // namespace
}  // namespace vouch::wait
