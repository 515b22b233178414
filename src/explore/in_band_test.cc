#include "explore/in_band.h"

#include <gtest/gtest.h>

#include "explore/clocks.h"
#include "explore/testing/examples.h"
#include "explore/testing/test_help.h"

namespace vouch::explore {
namespace {

// Rank 2 receives from anybody twice, the second while the first is pending: clocks 0 and 1, and
// either could have been the other's message.
struct Pending {
  Observation seen = simulate(simulated("is0>2 w | is1>2 w | ir0* r1* w(r0)"), {}).seen;
  std::vector<Carried> ranks = std::vector<Carried>(3);

  Pending() {
    for (Carried& c : ranks) c.finished = true;
    const Analysed known = analyse(seen, Protocol::lamport);
    const int first = known.find({2, 0})->source, second = known.find({2, 1})->source;
    ranks[2].events = {{0, first, false, 0, 0, {second}}, {1, second, false, 1, 0, {}}};
  }
};

class InBand : public testing::TestWithParam<Protocol> {
 protected:
  const Protocol protocol = GetParam();
};
INSTANTIATE_TEST_SUITE_P(, InBand, testing::Values(Protocol::lamport, Protocol::vector));

TEST_P(InBand, what_is_equal_is_equal) {
  const Pending run;
  const Compared result = compare(run.seen, protocol, run.ranks);
  EXPECT_EQ(result.why_not, "");
  EXPECT_TRUE(result.differences.empty()) << result.differences.front();
  EXPECT_EQ(result.events, 2u);
  EXPECT_EQ(result.alternatives, 1u);
  EXPECT_EQ(result.missed + result.impossible, 0u);
}

TEST_P(InBand, every_part_of_an_event_counts) {
  using Change = void (*)(std::vector<Carried::Event>&);
  const Change changes[] = {
      [](auto& events) { events[1].clock = 0; },
      [](auto& events) { events[0].message = 1; },
      [](auto& events) { events[0].source = events[1].source; },
      [](auto& events) { events[0].alternatives.clear(); },
      [](auto& events) { events[1].alternatives = {0}; },
      [](auto& events) { events.pop_back(); },
      [](auto& events) { events[1].number = 2; },
  };
  for (const Change& change : changes) {
    Pending run;
    change(run.ranks[2].events);
    const Compared result = compare(run.seen, protocol, run.ranks);
    EXPECT_EQ(result.why_not, "");
    EXPECT_FALSE(result.differences.empty()) << "change " << &change - changes;
  }
}

// A run that was cut off has not received what was left; what it did find must be so.
TEST_P(InBand, a_run_cut_off_may_know_less) {
  Pending run;
  run.ranks[2].finished = false;
  run.ranks[2].events[0].alternatives.clear();
  EXPECT_TRUE(compare(run.seen, protocol, run.ranks).differences.empty());
  run.ranks[2].events[1].clock = 5;
  EXPECT_FALSE(compare(run.seen, protocol, run.ranks).differences.empty());
}

TEST_P(InBand, gaps_are_not_compared) {
  Pending run;
  run.ranks[1].gap = "no clock";
  run.ranks[2].events.clear();
  const Compared result = compare(run.seen, protocol, run.ranks);
  EXPECT_EQ(result.why_not, "no clock");
  EXPECT_TRUE(result.differences.empty());
  run.ranks[1].gap.clear();
  run.seen.whole = false;
  EXPECT_NE(compare(run.seen, protocol, run.ranks).why_not, "");
}

// A probe sees no clock: what it saw happens before it by records, not by messages.
TEST(InBandAnalysis, a_probe_tells_no_clock) {
  const SimRun run = simulate(simulated("is0>0 r0*:0 s1>1:1 w(s0) | p1*:1 s2>2 r1<0:1 | r2*"), {});
  const Analysed records = analyse(run.seen, Protocol::lamport);
  const Analysed messages = analyse(run.seen, Protocol::lamport, ~0u, Source::messages);
  EXPECT_EQ(records.find({2, 0})->message, 2u);
  EXPECT_EQ(messages.find({2, 0})->message, 1u);
}

}  // namespace
}  // namespace vouch::explore
