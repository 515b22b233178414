// Prediction against the explorer, on random programs: races, zero-buffer compatibility, deadlock
// and assertions, both bufferings; every witness is replayed.

#include <algorithm>

#include "predict/program/state.h"
#include "predict/questions/questions.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

struct Flavour {
  const char* name;
  RandomShape shape;
};

RandomShape blocking() {
  RandomShape shape;
  shape.non_blocking = shape.tags = false;
  return shape;
}
RandomShape untagged() {
  RandomShape shape;
  shape.tags = false;
  return shape;
}
RandomShape data() {
  RandomShape shape;
  shape.conditions = true;
  return shape;
}
RandomShape everything() {
  RandomShape shape;
  shape.conditions = shape.modes = shape.collectives = shape.probes = shape.communicators = true;
  return shape;
}

class Agreement : public testing::TestWithParam<Flavour> {
 protected:
  void check(const Program& program, Buffering buffering, bool quick) {
    const auto outcomes = explore(program, buffering);
    ASSERT_FALSE(outcomes.capped);
    QuestionOptions options;
    options.quick_stages = quick;
    Predictor predictor(program, options);
    const auto deadlock = predictor.deadlock(buffering);
    compare("deadlock", deadlock, !outcomes.deadlocked.empty());
    replays(program, buffering, deadlock, End::deadlock);

    const bool feasible = path_feasible(program, outcomes);
    const auto path = predictor.reachable(buffering);
    compare("reachable", path, feasible);
    replays(program, buffering, path, End::complete);

    const bool has_assertions = !program.all(OpKind::assertion).empty();
    if (has_assertions) {
      const auto violation = predictor.violation(buffering);
      if (feasible)
        compare("violation", violation, violated(program, outcomes));
      else
        EXPECT_EQ(violation.outcome, Outcome::inconclusive);  // [P28], or no execution ends
      replays(program, buffering, violation, End::complete);
    }
    const auto races = predictor.races(buffering);
    std::set<OpId> racing;
    for (const auto& race : races.races) racing.insert(race.receive);
    EXPECT_EQ(racing, racing_receives(outcomes));
    EXPECT_TRUE(races.undecided.empty());
    ++asked_;
    deadlocks_ += !outcomes.deadlocked.empty();
    races_ += !racing.empty();
    violations_ += has_assertions && feasible && violated(program, outcomes);
  }

  static void compare(const char* question, const Reply& reply, bool expected) {
    EXPECT_EQ(reply.outcome, expected ? Outcome::witnessed : Outcome::proved)
        << question << ' ' << reply.reason;
  }

  static void replays(const Program& program, Buffering buffering, const Reply& reply, End end) {
    if (reply.outcome != Outcome::witnessed) return;
    const auto replayed = replay(program, buffering, reply.schedule);
    ASSERT_TRUE(replayed.ok()) << replayed.error();
    EXPECT_EQ(replayed.value().end, end);
  }

  int asked_ = 0, deadlocks_ = 0, races_ = 0, violations_ = 0;
};

TEST_P(Agreement, with_the_explorer) {
  const std::uint64_t count = slow_tests() ? 12'500 : 60;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program = random_program(seed, GetParam().shape);
    for (auto buffering : {Buffering::infinite, Buffering::zero}) {
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << (buffering == Buffering::zero ? ", zero" : "") << '\n'
                   << print_compact(program));
      check(program, buffering, seed % 2 == 0);
    }
    if (HasFailure()) break;  // one is enough to look at
  }
  // The programs have what is asked for.
  EXPECT_GT(deadlocks_ * 10, asked_);
  EXPECT_GT(races_ * 20, asked_);
  if (GetParam().shape.conditions) {
    EXPECT_GT(violations_ * 50, asked_);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Agreement,
                         testing::Values(Flavour{"blocking", blocking()},
                                         Flavour{"untagged", untagged()}, Flavour{"data", data()},
                                         Flavour{"everything", everything()}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace vouch::predict
