#include "match/p2p.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "match/facts.h"
#include "match/reference_test.h"
#include "model/replay.h"

namespace vouch {
namespace {

// Runs a text and keeps what met, by sites.
class Matched : public Replay::Listener, public MatchObserver {
 public:
  explicit Matched(const std::string& text, const RestLimits& limits = {})
      : trace_(read_text(text)), facts_(world_) {
    if (!trace_) {
      error = trace_.error();
      return;
    }
    facts_.observe(this);
    facts_.mailroom().set_limits(limits);
    Replay replay(world_);
    replay.run(*trace_, this);
    const Mailroom& mailroom = facts_.p2p().mailroom();
    in_flight = mailroom.in_flight();
    queues = mailroom.queues();
    channels = mailroom.channels();
    facts_.finish();
    kinds = mailroom.kinds();
  }

  void on_enter(Process& p, Call& c) override {
    if (facts_.sees_enter(c.proc())) facts_.enter(p, c);
  }
  void on_leave(Process& p, Call& c, const Event& e) override {
    if (facts_.sees_leave(c.proc())) facts_.leave(p, c, e);
    rested = std::max(rested, facts_.mailroom().resting());
  }
  void on_match(const Match& m) override {
    met.insert({label(m.send), label(m.recv)});
    (m.settled ? late : told) += label(m.send) + ">" + label(m.recv) + " ";
  }
  void on_probe(const Match& m) override { seen.insert({label(m.send), label(m.recv)}); }
  void on_unmatched(const Operation& op, const NearMiss&) override { unmatched.insert(label(op)); }
  void on_forgotten(std::uint64_t messages, std::uint64_t, Site) override { forgotten = messages; }

  std::string label(const Operation& op) const {
    const std::string& at = trace_.value().sites[op.site.value];
    return op.posted == op.site || op.proc == Proc::mrecv || op.proc == Proc::imrecv
               ? at
               : at + "/" + trace_.value().sites[op.posted.value];
  }

  std::string error;
  std::multiset<ReferenceMpi::Pair> met, seen;
  std::multiset<std::string> unmatched;
  std::string told, late;                               // during the run, at its end
  std::size_t in_flight = 0, queues = 0, channels = 0;  // before the end
  std::size_t rested = 0;                               // at most
  std::size_t kinds = 0;                                // after the end
  std::uint64_t forgotten = 0;

 private:
  Result<TextTrace> trace_;
  World world_;
  Facts facts_;
};

std::string show(const std::multiset<ReferenceMpi::Pair>& a,
                 const std::multiset<ReferenceMpi::Pair>& b) {
  std::string s;
  for (const auto& p : a) {
    if (!b.contains(p)) s += " " + p.first + ">" + p.second;
  }
  return s;
}

// All that can rest does, where so many stand together.
RestLimits early(std::size_t fewest) {
  RestLimits limits;
  limits.busy = 0;
  limits.fewest = fewest;
  return limits;
}

// Whatever MPI may have done with a random program, whichever rank's events are read first, and
// whether messages rest: the same pairs.
TEST(P2p, agrees_with_a_small_mpi_on_random_programs) {
  const bool slow = std::getenv("VOUCH_SLOW_TESTS") != nullptr;
  const RestLimits limits[] = {{}, early(1), early(4)};
  std::size_t rested = 0;
  const int traces = slow ? 4000 : 420, per_trace = 50;
  for (int seed = 1; seed <= traces; ++seed) {
    ReferenceMpi mpi(static_cast<std::uint64_t>(seed), 2 + seed % 3);
    for (int i = 0; i < per_trace; ++i) mpi.program(10 + (seed + i) % 60);
    const std::string text = mpi.text();
    const Matched found(text, limits[seed % 3]);
    rested = std::max(rested, found.rested);
    ASSERT_EQ(found.error, "") << "seed " << seed;
    ASSERT_EQ(found.kinds, 0u) << "seed " << seed;
    ASSERT_EQ(show(mpi.met, found.met), "") << "missing with seed " << seed;
    ASSERT_EQ(show(found.met, mpi.met), "") << "wrong with seed " << seed;
    ASSERT_TRUE(found.met == mpi.met) << "seed " << seed;
    ASSERT_EQ(show(mpi.seen, found.seen), "") << "probes missing with seed " << seed;
    ASSERT_EQ(show(found.seen, mpi.seen), "") << "probes wrong with seed " << seed;
    ASSERT_EQ(found.unmatched, mpi.unmatched) << "seed " << seed;
  }
  EXPECT_GT(rested, 20u);
}

// Of messages that were forgotten as many meet and are left as there were, and what is said of them
// is true.
TEST(P2p, what_is_forgotten_is_neither_lost_nor_mistaken) {
  std::uint64_t forgotten = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    ReferenceMpi mpi(static_cast<std::uint64_t>(seed), 2 + seed % 3);
    for (int i = 0; i < 50; ++i) mpi.program(10 + (seed + i) % 60);
    RestLimits limits = early(1 + static_cast<std::size_t>(seed) % 2);
    limits.most = static_cast<std::uint64_t>(seed) % 20;
    const Matched found(mpi.text(), limits);
    ASSERT_EQ(found.error, "") << "seed " << seed;
    ASSERT_EQ(found.met.size(), mpi.met.size()) << "seed " << seed;
    ASSERT_EQ(found.seen.size(), mpi.seen.size()) << "seed " << seed;
    ASSERT_EQ(found.unmatched.size(), mpi.unmatched.size()) << "seed " << seed;
    ASSERT_EQ(found.kinds, 0u) << "seed " << seed;
    const auto subset = [&](const std::multiset<ReferenceMpi::Pair>& some,
                            const std::multiset<ReferenceMpi::Pair>& all) {
      std::string wrong;
      for (const ReferenceMpi::Pair& pair : some) {
        if (!pair.first.empty() && !all.contains(pair)) wrong += " " + pair.first;
      }
      return wrong;
    };
    ASSERT_EQ(subset(found.met, mpi.met), "") << "seed " << seed;
    ASSERT_EQ(subset(found.seen, mpi.seen), "") << "seed " << seed;
    for (const std::string& label : found.unmatched)
      ASSERT_TRUE(label.empty() || mpi.unmatched.contains(label)) << label << ", seed " << seed;
    forgotten += found.forgotten;
  }
  EXPECT_GT(forgotten, 1000u);
}

// Told during the run and told at its end, "send>receive" by line.
std::string told(const std::string& text) {
  const Matched m(text);
  return m.error + m.told + "| " + m.late;
}

TEST(P2p, a_call_that_never_returns_meets_at_the_end) {
  EXPECT_EQ(told("0 Send dest=1 @s ...\n1 Recv source=0 @r ...\n"), "| s>r ");
  EXPECT_EQ(told("0 Send dest=1 @s\n1 Recv source=0 @r\n"), "s>r | ");
}

TEST(P2p, a_receive_behind_a_wildcard_waits_for_it) {
  const std::string posted =
      "0 Send dest=1 tag=5 @s1\n0 Send dest=1 tag=5 @s2\n1 Irecv source=ANY_SOURCE tag=5 request=a "
      "@w\n1 Recv source=0 tag=5 @r\n";
  EXPECT_EQ(told(posted), "| s1>w s2>r ");
  EXPECT_EQ(told(posted + "1 Wait request=a -> status=(0,5,4)\n"), "s1>w s2>r | ");
  // The wildcard had another message: then this receive had the first one.
  EXPECT_EQ(told(posted + "1 Send dest=1 tag=5 @self\n1 Wait request=a -> status=(1,5,4)\n"),
            "self>w s1>r | ");
}

TEST(P2p, only_wildcards_that_fit_hold_up) {
  EXPECT_EQ(told("0 Send dest=1 tag=5 @s\n1 Irecv source=ANY_SOURCE tag=6 request=a @w\n1 Irecv "
                 "source=1 tag=ANY_TAG request=b @v\n"
                 "1 Recv source=0 tag=5 @r\n"),
            "s>r | ");
}

TEST(P2p, a_wildcard_that_died_in_the_library_takes_what_only_it_can_have_taken) {
  EXPECT_EQ(told("0 Send dest=1 tag=5 @s\n1 Recv source=ANY_SOURCE tag=ANY_TAG @w ...\n"),
            "| s>w ");
  // Two could have been meant: nobody is told, and one of them is not lost.
  const Matched two(
      "0 Send dest=1 tag=5 @s\n0 Send dest=1 tag=6 @t\n1 Recv source=ANY_SOURCE tag=ANY_TAG @w "
      "...\n");
  EXPECT_EQ(two.told + two.late, "");
  EXPECT_EQ(two.unmatched.size(), 1u);
}

TEST(P2p, requests_that_are_complete_at_once_share_a_handle) {
  EXPECT_EQ(told("0 Isend dest=1 request=0x99 @a\n0 Isend dest=1 request=0x99 @b\n0 Waitall "
                 "requests=[0x99,0x99]\n"
                 "1 Recv source=0 @c\n1 Recv source=0 @d\n"),
            "a>c b>d | ");
}

TEST(P2p, a_cancelled_receive_takes_nothing_whichever_rank_is_read_first) {
  const std::string sender = "0 Send dest=1 @s\n";
  const std::string receiver =
      "1 Irecv source=0 request=a @x\n1 Cancel request=a\n1 Wait request=a -> "
      "status=(-1,-1,0,0,1)\n1 Recv source=0 @r\n";
  EXPECT_EQ(told(sender + receiver), "s>r | ");
  EXPECT_EQ(told(receiver + sender), "s>r | ");
}

TEST(P2p, spawned_processes_are_left_alone) {
  EXPECT_EQ(told("0 Comm_spawn command=\"x\" maxprocs=1 intercomm=i\n0 comm i size=2 remote=1 "
                 "members=[0,1]\n0 Send dest=0 comm=i @s\n"),
            "| ");
}

TEST(P2p, memory_is_what_is_in_flight) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const std::string tag = " tag=" + std::to_string(i);
    text += "0 Comm_dup newcomm=c\n1 Comm_dup newcomm=c\n0 Isend dest=1 comm=c request=q" + tag +
            "\n1 Recv source=ANY_SOURCE comm=c" + tag + " -> status=(0," + std::to_string(i) +
            ",4)\n0 Wait request=q\n1 Comm_free comm=c\n0 Comm_free comm=c\n"
            "0 Send dest=1" +
            tag + "\n1 Recv source=0" + tag + "\n";
  }
  const Matched m(text);
  ASSERT_EQ(m.error, "");
  EXPECT_EQ(m.met.size(), 6000u);
  EXPECT_EQ(m.in_flight, 0u);
  EXPECT_EQ(m.channels, 1u);
  EXPECT_LE(m.queues, 1024u);
}

}  // namespace
}  // namespace vouch
