#include "agent/deaths.h"

#include <string>

#include <gtest/gtest.h>

namespace vouch {
namespace {

using Clock = Deaths::Clock;
constexpr Clock::time_point kNow{};
constexpr auto kLater = kNow + Deaths::kHold;

Deaths::Death fault(std::size_t p) { return {p, End::signalled, true, false}; }
Deaths::Death silent(std::size_t p) { return {p, End::killed, true, true}; }
Deaths::Death orderly(std::size_t p) { return {p, End::exited, false, false}; }

// "0 1*": process 0, then process 1 from outside.
std::string text(const std::vector<Deaths::Judged>& all) {
  std::string out;
  for (const auto& j : all)
    out += (out.empty() ? "" : " ") + std::to_string(j.process) + (j.from_outside ? "*" : "");
  return out;
}

TEST(Deaths, orderly_ends_are_judged_at_once) {
  Deaths deaths;
  deaths.add({orderly(1)}, kNow);
  deaths.add({orderly(0)}, kNow);
  EXPECT_EQ(text(deaths.judge(kNow)), "1 0");
  EXPECT_EQ(deaths.cause(), -1);
}

TEST(Deaths, a_fault_is_the_cause_and_silent_ones_after_it_are_not) {
  Deaths deaths;
  deaths.add({fault(2)}, kNow);
  EXPECT_EQ(text(deaths.judge(kNow)), "");
  EXPECT_EQ(text(deaths.judge(kLater)), "2");
  deaths.add({silent(0), silent(1)}, kLater);
  EXPECT_EQ(text(deaths.judge(kLater)), "0* 1*");
  EXPECT_EQ(deaths.cause(), 2);
}

TEST(Deaths, a_fault_noticed_together_with_silent_deaths_goes_first) {
  Deaths deaths;
  deaths.add({silent(0), fault(1)}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "1 0*");
}

TEST(Deaths, the_first_silent_death_waits_for_the_launcher_and_is_the_cause) {
  Deaths deaths;
  deaths.add({silent(3)}, kNow);
  deaths.add({silent(0)}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "");
  deaths.launcher_ended(false);
  EXPECT_EQ(text(deaths.judge(kLater)), "3 0*");
}

TEST(Deaths, a_launcher_that_succeeded_had_nobody_killed) {
  Deaths deaths;
  Deaths::Death vanished = silent(3);
  vanished.unknown = true;
  deaths.add({vanished}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "");
  deaths.launcher_ended(false, true);
  const auto judged = deaths.judge(kLater);
  EXPECT_EQ(text(judged), "3");
  EXPECT_EQ(judged[0].how, End::exited);
  EXPECT_EQ(deaths.cause(), -1);
}

TEST(Deaths, one_that_nobody_knows_of_is_killed_if_the_launcher_failed) {
  Deaths deaths;
  Deaths::Death vanished = silent(3);
  vanished.unknown = true;
  deaths.add({vanished, silent(0)}, kNow);
  deaths.launcher_ended(false, false);
  const auto judged = deaths.judge(kLater);
  EXPECT_EQ(text(judged), "3 0*");
  EXPECT_EQ(judged[0].how, End::killed);
}

TEST(Deaths, order_is_kept_behind_a_silent_one) {
  Deaths deaths;
  deaths.add({silent(3)}, kNow);
  deaths.add({orderly(0)}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "");
  EXPECT_EQ(text(deaths.judge(kLater, true)), "3 0");
}

TEST(Deaths, a_killed_launcher_brings_all_down) {
  Deaths deaths;
  deaths.add({fault(0), silent(1)}, kNow);
  EXPECT_EQ(text(deaths.judge(kNow)), "");  // held: the launcher's end may be on its way
  deaths.launcher_ended(true);
  EXPECT_EQ(text(deaths.judge(kNow)), "0* 1*");
}

TEST(Deaths, a_launcher_that_failed_itself_is_the_cause_of_silent_deaths_only) {
  Deaths deaths;
  deaths.add({silent(0), silent(1)}, kNow);
  deaths.launcher_failed();
  deaths.launcher_ended(false);
  EXPECT_EQ(text(deaths.judge(kNow)), "0* 1*");
  EXPECT_EQ(deaths.cause(), -1);
  deaths.add({fault(2)}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "2");
}

TEST(Deaths, after_a_stop_nothing_is_the_programs_own) {
  Deaths deaths;
  deaths.stopping();
  deaths.add({silent(0), orderly(1)}, kNow);
  EXPECT_EQ(text(deaths.judge(kNow)), "1 0*");
}

}  // namespace
}  // namespace vouch
