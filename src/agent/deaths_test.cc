#include "agent/deaths.h"

#include <string>

#include <fmt/format.h>
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
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(text(deaths.judge(kLater)), "3 0*");
}

TEST(Deaths, a_launcher_that_succeeded_had_nobody_killed) {
  Deaths deaths;
  Deaths::Death vanished = silent(3);
  vanished.unknown = true;
  deaths.add({vanished}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "");
  deaths.launcher_ended(kNow, false, true);
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
  deaths.launcher_ended(kNow, false, false);
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
  deaths.launcher_ended(kNow, true);
  EXPECT_EQ(text(deaths.judge(kNow)), "0* 1*");
}

TEST(Deaths, a_launcher_that_failed_itself_is_the_cause_of_silent_deaths_only) {
  Deaths deaths;
  deaths.add({silent(0), silent(1)}, kNow);
  deaths.launcher_failed();
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(text(deaths.judge(kLater)), "0* 1*");
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

Deaths::Death hung_up(std::size_t p, int after) {
  Deaths::Death death = silent(p);
  death.hung_up = kNow + std::chrono::milliseconds(after);
  return death;
}

// Hydra kills a rank in MPI_Finalize at once, while the one that called MPI_Abort is on its way
// out.
TEST(Deaths, who_failed_before_another_was_gone_is_the_cause_though_noticed_last) {
  Deaths::Death aborted = fault(0);
  aborted.hung_up = kNow + std::chrono::milliseconds(1);
  Deaths deaths;
  deaths.add({hung_up(1, 2)}, kNow);
  deaths.add({aborted}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(text(deaths.judge(kLater)), "0 1*");
}

// It was told to end, and called MPI_Abort for that.
TEST(Deaths, who_fails_after_another_was_gone_is_not_the_cause) {
  Deaths::Death aborted = fault(0);
  aborted.hung_up = kNow + std::chrono::milliseconds(3);
  Deaths deaths;
  deaths.add({hung_up(1, 2)}, kNow);
  deaths.add({aborted}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(text(deaths.judge(kLater)), "1 0");
}

Deaths::Death numbered(int pid, Deaths::Death death) {
  death.pid = pid;
  return death;
}

// Rank 3 was killed before its first call, rank 1 by the launcher.
TEST(Deaths, a_launcher_that_names_one_unseen_while_some_are_missing) {
  for (const bool missing : {true, false}) {
    Deaths deaths;
    deaths.add({numbered(11, hung_up(1, 0)), numbered(12, hung_up(2, 1))}, kNow);
    deaths.launcher_names(13, missing);
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(text(deaths.judge(kLater)), missing ? "1* 2*" : "1 2*");
    EXPECT_EQ(deaths.cause(), missing ? -1 : 1);
  }
}

// Of one node it names any that was killed.
TEST(Deaths, on_one_node_the_moments_say_more_than_the_launcher) {
  Deaths deaths;
  deaths.add({numbered(11, hung_up(1, 0)), numbered(12, hung_up(2, 1))}, kNow);
  deaths.launcher_names(12, true);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(text(deaths.judge(kLater)), "1 2*");
}

// Over nodes -----------------------------------------------------------------

Deaths::Death at(int node, Deaths::Death death) {
  death.process = Deaths::number(node, death.process);
  return death;
}
Deaths::Death gave_up(std::size_t p) { return {p, End::exited, true, false, false, true}; }

std::string causes(Deaths& deaths) {
  std::string out;
  for (const auto& j : deaths.judge(kLater, true))
    out += fmt::format("{}{}:{}{}", out.empty() ? "" : " ", Deaths::node(j.process),
                       Deaths::local(j.process), j.from_outside ? "*" : "");
  return out;
}

TEST(DeathsOverNodes, a_peer_that_vanished_is_the_cause_whoever_is_heard_of_first) {
  for (const bool first : {true, false}) {
    Deaths deaths;
    if (!first) deaths.add({at(1, gave_up(0))}, kNow);
    deaths.add({at(2, silent(0))}, kNow);
    if (first) deaths.add({at(1, gave_up(0))}, kNow);
    EXPECT_EQ(text(deaths.judge(kLater)), "");  // what the launcher ends comes together
    deaths.add({at(1, hung_up(1, 100)), at(2, hung_up(1, 100))}, kLater);
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(causes(deaths), "2:0 1:0* 1:1* 2:1*");
  }
}

// Rank 1 got SIGTERM from the launcher, whose status is that of a process that was never seen.
TEST(Deaths, one_that_the_launcher_ended_because_of_an_unseen_process) {
  const auto ended_by = [](int signal, int status) {
    Deaths deaths;
    Deaths::Death death = silent(1);
    death.how = End::signalled;
    death.signal = signal;
    deaths.add({death}, kNow);
    deaths.launcher_ended(kNow, false, status == 0, status);
    return text(deaths.judge(kLater));
  };
  EXPECT_EQ(ended_by(15, 128 + 11), "1*");
  EXPECT_EQ(ended_by(15, 11), "1*");
  EXPECT_EQ(ended_by(15, 128 + 15), "1");
  EXPECT_EQ(ended_by(15, 15), "1");
  EXPECT_EQ(ended_by(9, 137), "1");
  EXPECT_EQ(ended_by(15, -1), "1");
  EXPECT_EQ(ended_by(15, 0), "1");
}

// The one that explains the launcher's status may be noticed a moment after the launcher's end.
TEST(Deaths, a_launcher_that_has_ended_is_not_the_last_to_be_heard) {
  Deaths deaths;
  Deaths::Death killed = silent(2);
  killed.signal = 9;
  deaths.add({killed}, kNow);
  deaths.launcher_ended(kNow, false, false, 15);
  EXPECT_EQ(text(deaths.judge(kNow)), "");
  deaths.add({{1, End::exited, true, false}}, kNow);
  EXPECT_EQ(text(deaths.judge(kLater)), "2 1");
}

// Hydra's status is that of rank 1, whose library gave up when rank 2 was killed.
TEST(Deaths, a_status_that_a_seen_process_explains_means_no_other) {
  Deaths deaths;
  Deaths::Death killed = silent(2);
  killed.signal = 9;
  deaths.add({killed}, kNow);
  deaths.add({{1, End::exited, true, false}}, kLater);
  deaths.launcher_ended(kNow, false, false, 15);
  EXPECT_EQ(text(deaths.judge(kLater)), "2 1");
}

// It is told apart, because one that was in MPI_Finalize then has missed nothing.
TEST(Deaths, those_ended_after_one_returned_a_status_of_failure) {
  Deaths deaths;
  Deaths::Death returned{0, End::exited, true, false};
  returned.finalized = true;
  deaths.add({returned}, kNow);
  deaths.add({silent(1)}, kNow);
  const auto judged = deaths.judge(kLater);
  EXPECT_EQ(text(judged), "0 1*");
  EXPECT_EQ(judged[1].how, End::exited);
}

// The system says later of one with many threads that it is dead.
TEST(Deaths, of_silent_ones_the_first_that_hung_up_is_the_cause) {
  for (const bool together : {true, false}) {
    Deaths deaths;
    if (together) {
      deaths.add({hung_up(1, 2), hung_up(2, 3), hung_up(0, 1)}, kNow);
    } else {
      deaths.add({hung_up(1, 2)}, kNow);
      deaths.add({hung_up(2, 3), hung_up(0, 1)}, kLater);
    }
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(text(deaths.judge(kLater)), "0 1* 2*");
  }
}

// Rank 1 gives up 8 ms after rank 2 is gone; rank 3 is ended by the launcher.
TEST(DeathsOverNodes, who_hung_up_before_one_gave_up_is_the_cause) {
  Deaths::Death lost = gave_up(1);
  lost.hung_up = kNow + std::chrono::milliseconds(8);
  Deaths deaths;
  deaths.add({at(1, lost)}, kNow);
  deaths.add({at(2, hung_up(3, 9)), at(2, hung_up(2, 0))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "2:2 1:1* 2:3*");
}

// Its neighbour on the same node gives up; it is alone there, and long gone.
TEST(DeathsOverNodes, one_of_the_same_node_that_hung_up_before_is_the_cause) {
  Deaths::Death lost = gave_up(3);
  lost.hung_up = kNow + std::chrono::milliseconds(8);
  for (const bool over_nodes : {true, false}) {
    Deaths deaths;
    deaths.add({at(2, lost)}, kNow);
    deaths.add({at(2, hung_up(2, 0))}, kNow);
    if (over_nodes) deaths.add({at(1, hung_up(0, 20))}, kNow);
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(causes(deaths), over_nodes ? "2:2 2:3* 1:0*" : "2:3 2:2*");
  }
}

// Noticed in any order on a busy machine; all but rank 2 were waiting inside MPI.
TEST(DeathsOverNodes, where_moments_say_little_the_one_outside_mpi_goes_first) {
  for (const bool crowded : {true, false}) {
    Deaths::Death computing = hung_up(2, 3);
    computing.outside_mpi = true;
    computing.crowded = crowded;
    Deaths deaths;
    deaths.add({at(1, hung_up(3, 0)), at(2, computing), at(1, hung_up(0, 6))}, kNow);
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(causes(deaths), crowded ? "2:2 1:3* 1:0*" : "1:3 2:2* 1:0*");
  }
}

// One that tests in a loop is now inside MPI and now outside.
TEST(DeathsOverNodes, the_moments_of_one_node_say_all) {
  Deaths::Death testing = hung_up(2, 1);
  testing.outside_mpi = testing.crowded = true;
  Deaths deaths;
  deaths.add({at(2, hung_up(3, 0)), at(2, testing), at(1, hung_up(0, 6))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "2:3 2:2* 1:0*");
}

// Its clock is 1 s ahead of ours. The news of its first death takes a while, that of the second
// none.
TEST(DeathsOverNodes, moments_of_one_node_keep_their_order_however_long_the_news_takes) {
  using std::chrono::milliseconds;
  Deaths deaths;
  const auto says = [&](int took, int moment) {
    deaths.clocks().heard(1, kNow + milliseconds(1000 + moment),
                          kNow + milliseconds(moment + took));
  };
  says(20, 0);
  deaths.add({at(1, hung_up(1, 1000))}, kNow);
  deaths.add({at(2, hung_up(2, 10))}, kNow);
  says(1, 8);
  deaths.add({at(1, hung_up(0, 1008))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:1 1:0* 2:2*");
}

// It heard of node 2 first, so what was killed there before all else of it is the cause, whatever
// the clocks say.
TEST(DeathsOverNodes, the_first_of_the_node_that_the_launcher_names) {
  for (const int named : {22, 23, 13}) {
    Deaths deaths;
    deaths.add({at(1, numbered(13, hung_up(3, 0))), at(2, numbered(22, hung_up(2, 2)))}, kNow);
    deaths.add({at(2, numbered(23, hung_up(3, 3)))}, kNow);
    deaths.launcher_names(named, false);
    deaths.launcher_ended(kNow, false);
    EXPECT_EQ(causes(deaths), named == 13 ? "1:3 2:2* 2:3*" : "2:2 1:3* 2:3*") << named;
  }
}

// Its launcher was gone, so the agent of its node ended it.
TEST(DeathsOverNodes, one_that_its_agent_has_ended_is_not_the_cause) {
  Deaths::Death ended = hung_up(3, 0);
  ended.stopped = true;
  Deaths deaths;
  deaths.launcher_ended(kNow, false);
  deaths.add({at(2, ended)}, kNow);
  EXPECT_EQ(causes(deaths), "2:3*");
  EXPECT_EQ(deaths.cause(), -1);
}

TEST(DeathsOverNodes, a_number_that_two_nodes_have_says_nothing) {
  Deaths deaths;
  deaths.add({at(1, numbered(22, hung_up(3, 0))), at(2, numbered(22, hung_up(2, 2)))}, kNow);
  deaths.launcher_names(22, false);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:3 2:2*");
}

TEST(DeathsOverNodes, who_gave_up_is_no_cause_if_the_launcher_heard_of_another_node_first) {
  Deaths deaths;
  deaths.add({at(1, gave_up(0))}, kNow);
  deaths.add({at(2, numbered(22, hung_up(0, 9))), at(2, numbered(23, hung_up(1, 9)))}, kNow);
  deaths.launcher_names(22, false);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "2:0 1:0* 2:1*");
}

// Two of node 2 were gone before the one on node 1 that had called MPI_Abort was heard of.
TEST(DeathsOverNodes, who_failed_goes_before_silent_ones_of_all_nodes) {
  Deaths::Death aborted = fault(0);
  aborted.hung_up = kNow + std::chrono::milliseconds(1);
  Deaths deaths;
  deaths.add({at(2, hung_up(0, 2))}, kNow);
  deaths.add({at(1, hung_up(1, 2))}, kNow);
  deaths.add({at(1, aborted)}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:0 2:0* 1:1*");
}

TEST(DeathsOverNodes, moments_that_are_far_apart_say_enough) {
  Deaths::Death computing = hung_up(2, 8);
  computing.outside_mpi = computing.crowded = true;
  Deaths deaths;
  deaths.add({at(1, hung_up(3, 0)), at(2, computing), at(1, hung_up(0, 9))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:3 2:2* 1:0*");
}

TEST(DeathsOverNodes, two_outside_mpi_are_no_better_than_none) {
  Deaths::Death one = hung_up(2, 3), two = hung_up(4, 3);
  one.outside_mpi = two.outside_mpi = one.crowded = two.crowded = true;
  Deaths deaths;
  deaths.add({at(3, hung_up(3, 0)), at(2, one), at(1, two)}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "3:3 2:2* 1:4*");
}

TEST(DeathsOverNodes, a_launcher_ends_all_of_a_node_at_once) {
  Deaths deaths;
  deaths.add({at(1, gave_up(0))}, kNow);
  deaths.add({at(2, silent(0)), at(2, silent(1))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:0 2:0* 2:1*");
}

TEST(DeathsOverNodes, those_that_give_up_together_are_all_named) {
  Deaths deaths;
  deaths.add({at(1, gave_up(0)), at(1, gave_up(1))}, kNow);
  deaths.add({at(2, silent(0)), at(2, silent(1))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "1:0 1:1 2:0* 2:1*");
}

TEST(DeathsOverNodes, who_gives_up_after_a_fault_elsewhere_is_no_cause) {
  Deaths deaths;
  deaths.add({at(1, gave_up(0))}, kNow);
  deaths.add({at(2, fault(0))}, kNow);
  deaths.launcher_ended(kNow, false);
  EXPECT_EQ(causes(deaths), "2:0 1:0*");
}

}  // namespace
}  // namespace vouch
