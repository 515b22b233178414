#include "match/wave.h"

#include <gtest/gtest.h>

#include "event/text.h"
#include "match/facts.h"
#include "model/replay.h"

namespace vouch {
namespace {

struct Told : MatchObserver {
  void on_wave(const Wave& wave) override {
    if (!wave.complete) ++incomplete;
    if (wave.complete) ++complete;
    classes = wave.classes.size();
  }
  void on_not_compared(Site, const char*) override { ++not_compared; }
  int complete = 0, incomplete = 0, not_compared = 0;
  std::size_t classes = 0;
};

struct Driver : Replay::Listener {
  explicit Driver(World& world) : facts(world) { facts.observe(&told); }
  void on_enter(Process& p, Call& c) override {
    if (facts.sees_enter(c.proc())) facts.enter(p, c);
    most = std::max(most, facts.waves().in_flight());
  }
  void on_leave(Process& p, Call& c, const Event& leave) override {
    if (facts.sees_leave(c.proc())) facts.leave(p, c, leave);
  }
  Told told;
  Facts facts;
  std::size_t most = 0;
};

struct Outcome {
  int complete, incomplete, not_compared;
  std::size_t classes, most, left, assemblies;
};

Outcome replay(const std::string& text) {
  const Result<TextTrace> trace = read_text(text);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error());
  World world;
  Driver driver(world);
  Replay(world).run(trace.value(), &driver);
  const std::size_t left = driver.facts.waves().in_flight(),
                    assemblies = driver.facts.waves().assemblies();
  driver.facts.finish();
  return {driver.told.complete,
          driver.told.incomplete,
          driver.told.not_compared,
          driver.told.classes,
          driver.most,
          left,
          assemblies};
}

TEST(Waves, memory_follows_what_is_in_flight) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "0 Barrier\n1 Barrier\n";
  const Outcome o = replay(text);
  EXPECT_EQ(o.complete, 500);
  EXPECT_EQ(o.most, 1u);
  EXPECT_EQ(o.left, 0u);
}

TEST(Waves, one_rank_may_run_ahead) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "0 Bcast\n";
  for (int i = 0; i < 19; ++i) text += "1 Bcast\n";
  const Outcome o = replay(text);
  EXPECT_EQ(o.complete, 19);
  EXPECT_EQ(o.most, 20u);
  EXPECT_EQ(o.incomplete, 1);
}

TEST(Waves, agreement_is_one_class) {
  std::string text;
  for (int r = 0; r < 32; ++r)
    text += std::to_string(r) + " Allreduce count=4 datatype=DOUBLE op=MAX\n";
  EXPECT_EQ(replay(text).classes, 1u);
}

TEST(Waves, freed_communicators_are_forgotten) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    for (const char* r : {"0 ", "1 "})
      text += std::string(r) + "Comm_dup newcomm=c\n" + r + "Barrier comm=c\n" + r +
              "Comm_free comm=c\n";
  }
  const Outcome o = replay(text);
  EXPECT_EQ(o.complete, 300);
  EXPECT_EQ(o.assemblies, 1u);
}

TEST(Waves, members_that_are_not_known) {
  const Outcome o = replay(
      "0 Comm_split color=0 newcomm=c\n0 Barrier comm=c\n1 Comm_split color=0 newcomm=c\n1 Barrier "
      "comm=c\n");
  EXPECT_EQ(o.complete, 1);
  EXPECT_EQ(o.not_compared, 2);
}

}  // namespace
}  // namespace vouch
