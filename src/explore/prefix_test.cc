// How far runs must agree, and calls that take one of several requests.

#include "explore/prefix.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "explore/testing/test_help.h"

namespace vouch::explore {
namespace {

using predict::kAny;

// What is explored with picks is what trying everything finds.
void expect_all(const Simulated& program, std::size_t outcomes, const std::string& what = "") {
  const auto truth = all_outcomes(program);
  EXPECT_TRUE(outcomes == 0 || truth.size() == outcomes) << what << truth.size();
  Bounds bounds;
  bounds.picks = Bounds::Picks::all;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Explored all = explore_all(program, Protocol::vector, seed, bounds);
    ASSERT_TRUE(all.outcomes == truth)
        << what << " " << all.outcomes.size() << " of " << truth.size();
    ASSERT_EQ(all.runs, truth.size()) << what;
    ASSERT_EQ(all.diverged + all.unforced + all.different, 0u) << what;
  }
}

Simulated two_to_one(std::function<Task(Rank&)> first) {
  const auto sender = [](Rank& me) -> Task { co_await me.send(0); };
  return {{std::move(first), sender, sender}};
}

// [T31]
TEST(Picks, either_of_two) {
  const Simulated program = two_to_one([](Rank& me) -> Task {
    const auto a = me.ireceive(1), b = me.ireceive(2);
    std::vector<std::size_t> both{a, b};
    co_await me.wait_any(both);
    co_await me.wait_any(both);
  });
  expect_all(program, 2);
  // Unless that is wanted they keep what they took.
  EXPECT_EQ(explore_all(program, Protocol::vector, 1).runs, 1u);
}

TEST(Picks, few_are_explored_and_many_are_counted) {
  for (const int senders : {2, 4, 5}) {
    Simulated program;
    program.ranks.push_back([senders](Rank& me) -> Task {
      std::vector<std::size_t> all;
      for (int s = 1; s <= senders; ++s) all.push_back(me.ireceive(s));
      for (int s = 1; s <= senders; ++s) co_await me.wait_any(all);
    });
    for (int s = 1; s <= senders; ++s)
      program.ranks.push_back([](Rank& me) -> Task { co_await me.send(0); });
    Bounds bounds;
    bounds.picks = Bounds::Picks::few;
    EXPECT_EQ(explore_all(program, Protocol::vector, 1, bounds).runs, senders == 2   ? 2u
                                                                      : senders == 4 ? 24u
                                                                                     : 1u);
  }
}

TEST(Picks, together_with_sources) {
  expect_all(two_to_one([](Rank& me) -> Task {
               std::vector<std::size_t> both{me.ireceive(kAny), me.ireceive(kAny)};
               co_await me.wait_any(both);
               co_await me.wait_any(both);
             }),
             4);
}

// The second message is sent because the first request was taken: it cannot be taken first.
TEST(Picks, not_what_follows_from_them) {
  expect_all({{[](Rank& me) -> Task {
                 std::vector<std::size_t> both{me.ireceive(1), me.ireceive(2)};
                 co_await me.wait_any(both);
                 co_await me.send(2);
                 co_await me.wait_any(both);
               },
               [](Rank& me) -> Task { co_await me.send(0); },
               [](Rank& me) -> Task {
                 co_await me.receive(0);
                 co_await me.send(0);
               }}},
             1);
}

// The last request can only have the second message of rank 1 once the one before it has that of
// rank 0, which is sent because of the first pick: then the first pick cannot be the last request,
// although its message was there.
TEST(Picks, not_past_a_receive_that_follows_from_them) {
  expect_all({{[](Rank& me) -> Task {
                 co_await me.receive(2);
                 co_await me.send(2);
               },
               [](Rank& me) -> Task {
                 co_await me.send(2);
                 co_await me.send(2);
               },
               [](Rank& me) -> Task {
                 std::vector<std::size_t> all{me.ireceive(1), me.ireceive(kAny), me.ireceive(kAny)};
                 co_await me.wait_any(all);
                 co_await me.send(0);
                 co_await me.wait_any(all);
                 co_await me.wait_any(all);
               }}},
             6);
}

TEST(Picks, may_decide_what_is_done) {
  expect_all({{[](Rank& me) -> Task {
                 std::vector<std::size_t> both{me.ireceive(1), me.ireceive(2)};
                 const Seen first = co_await me.wait_any(both);
                 if (first.value == 1) co_await me.send(2, 7);
                 co_await me.wait_any(both);
                 co_await me.receive(kAny);
                 co_await me.receive(kAny);
               },
               [](Rank& me) -> Task {
                 co_await me.send(0);
                 co_await me.send(0);
               },
               [](Rank& me) -> Task {
                 co_await me.send(0);
                 co_await me.send(0);
               }}},
             0);
}

// Random programs: receives of all kinds, and calls that take one of what is pending.
TEST(Picks, random_programs) {
  const int programs = slow_tests() ? 2000 : 150;
  for (int seed = 1; seed <= programs; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto draw = [&](int below) {
      return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    const int ranks = 2 + draw(2), messages = 2 + draw(3);
    std::vector<std::vector<std::pair<int, int>>> sends(static_cast<std::size_t>(ranks));
    std::vector<std::vector<std::pair<int, int>>> receives(static_cast<std::size_t>(ranks));
    for (int m = 0; m < messages; ++m) {
      const int from = draw(ranks), to = (from + 1 + draw(ranks - 1)) % ranks, tag = draw(2);
      sends[static_cast<std::size_t>(from)].emplace_back(to, tag);
      receives[static_cast<std::size_t>(to)].emplace_back(draw(2) == 0 ? kAny : from, tag);
    }
    const int shape = draw(4);
    Simulated program;
    for (int r = 0; r < ranks; ++r) {
      const auto out = sends[static_cast<std::size_t>(r)],
                 in = receives[static_cast<std::size_t>(r)];
      program.ranks.push_back([out, in, shape](Rank& me) -> Task {
        std::vector<std::size_t> pending;
        for (const auto& [source, tag] : in) pending.push_back(me.ireceive(source, tag));
        std::size_t next = 0;
        if (shape != 1)
          for (; next < out.size(); ++next) co_await me.send(out[next].first, out[next].second);
        for (std::size_t i = 0; i < pending.size(); ++i) {
          const Seen took = co_await me.wait_any(pending);
          // What it took decides what comes next.
          if (next < out.size() && (shape != 2 || took.value == 0)) {
            co_await me.send(out[next].first, out[next].second);
            ++next;
          }
        }
        for (; next < out.size(); ++next) co_await me.send(out[next].first, out[next].second);
      });
    }
    expect_all(program, 0, "seed " + std::to_string(seed));
    if (testing::Test::HasFatalFailure()) return;
  }
}

// ---- how far runs agree ----
TEST(Prefix, ends_at_what_depends_on_the_decision) {
  // Rank 1 learns of it by a message, rank 2 by a barrier, rank 3 never.
  const Simulated program{{[](Rank& me) -> Task {
                             co_await me.send(1, 9);
                             co_await me.receive(kAny);
                             co_await me.receive(kAny);
                             co_await me.send(1);
                           },
                           [](Rank& me) -> Task {
                             co_await me.send(0);
                             co_await me.receive(0, 9);
                             co_await me.receive(0);
                             co_await me.send(2);
                           },
                           [](Rank& me) -> Task {
                             co_await me.send(0);
                             co_await me.receive(1);
                           }}};
  const SimRun run = simulate(program);
  const Observation& seen = run.seen;
  const std::vector<OpId> until = same_until(seen, {});
  ASSERT_EQ(until.size(), 3u);
  EXPECT_EQ(until[0], 1u);                          // the first receive from any
  EXPECT_EQ(until[1] - seen.program.first[1], 4u);  // the wait for what was sent behind it
  EXPECT_EQ(until[2] - seen.program.first[2], 2u);
  EXPECT_EQ(first_difference(seen, until, seen), "");
}

// [E33]
TEST(Prefix, names_what_is_different) {
  const auto with = [](int tag) {
    return two_to_one([tag](Rank& me) -> Task {
      co_await me.send(1, tag);
      co_await me.receive(kAny);
      co_await me.receive(kAny);
    });
  };
  const Observation one = simulate(with(3)).seen, other = simulate(with(4)).seen;
  const std::string told = first_difference(one, same_until(one, {}), other);
  EXPECT_EQ(told,
            "operation 0 of rank 0 should be an operation(dest=1, tag=3), but is an "
            "operation(dest=1, tag=4)");
}

// A receive that asks for another one leaves the schedule, and does not wait forever.
TEST(Prefix, a_schedule_tells_which_tag_a_receive_must_ask_for) {
  for (const char* tag : {"5", "*"}) {
    const Observation run =
        simulate(simulated(fmt::format("r0*:{0} r1*:{0} | s1>0:5 | s2>0:5", tag))).seen;
    const Analysed all = analyse(run, Protocol::vector);
    const Event* e = all.find({0, 0});
    ASSERT_NE(e, nullptr);
    ASSERT_EQ(e->alternatives.size(), 1u);
    const Decisions forced = all.steer(*e, e->alternatives[0]);
    EXPECT_EQ(to_text(schedule_of(forced, &run, same_until(run, forced))),
              fmt::format("A0={}{}", e->alternatives[0].source, *tag == '5' ? "t5" : ""));
  }
}

// [E40]
TEST(Prefix, a_schedule_repeats_the_answers_of_tests) {
  Observation run = simulate(two_to_one([](Rank& me) -> Task {
                      std::vector<std::size_t> both{me.ireceive(1), me.ireceive(2)};
                      co_await me.wait_any(both);
                      co_await me.wait_any(both);
                    })).seen;
  policy::RankSchedule mine;
  mine.add({policy::Pick::What::no, {}}, 5);
  mine.add(Choice::pick_of(false, 0));
  mine.add(Choice::pick_of(false, 1));
  run.picks = {mine.picks, {}, {}};
  for (Choice& c : run.choices) c.pick += 5;
  const OpId first = run.choices[0].wait;
  for (OpId id = 0; id < run.program.first[1]; ++id)
    run.asked[id].picks = id < first ? 0 : id == first ? 5 : 6;
  const Analysed all = analyse(run, Protocol::vector);
  const Event* e = all.find({0, kFirstPick + 5});
  ASSERT_NE(e, nullptr);
  ASSERT_EQ(e->alternatives.size(), 1u);
  const Decisions forced = all.steer(*e, e->alternatives[0]);
  EXPECT_EQ(to_text(schedule_of(forced, &run, same_until(run, forced))), "A0=:nx5,1");
}

}  // namespace
}  // namespace vouch::explore
