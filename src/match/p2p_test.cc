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
  explicit Matched(const std::string& text) : trace_(read_text(text)), facts_(world_) {
    if (!trace_) {
      error = trace_.error();
      return;
    }
    facts_.observe(this);
    Replay replay(world_);
    replay.run(*trace_, this);
    before_end = facts_.p2p().mailroom().in_flight();
    facts_.finish();
  }

  void on_enter(Process& p, Call& c) override {
    if (facts_.sees_enter(c.proc())) facts_.enter(p, c);
  }
  void on_leave(Process& p, Call& c, const Event& e) override {
    if (facts_.sees_leave(c.proc())) facts_.leave(p, c, e);
  }
  void on_match(const Match& m) override {
    met.insert({label(m.send), label(m.recv)});
    (m.settled ? late : told) += label(m.send) + ">" + label(m.recv) + " ";
  }
  void on_probe(const Match& m) override { seen.insert({label(m.send), label(m.recv)}); }
  void on_unmatched(const Operation& op, const NearMiss&) override { unmatched.insert(label(op)); }

  std::string label(const Operation& op) const {
    const std::string& at = trace_.value().sites[op.site.value];
    return op.posted == op.site || op.proc == Proc::mrecv || op.proc == Proc::imrecv
               ? at
               : at + "/" + trace_.value().sites[op.posted.value];
  }

  std::string error;
  std::multiset<ReferenceMpi::Pair> met, seen;
  std::multiset<std::string> unmatched;
  std::string told, late;  // during the run, at its end
  std::size_t before_end = 0;

 private:
  Result<TextTrace> trace_;
  World world_;
  Facts facts_;
};

std::string show(const std::multiset<ReferenceMpi::Pair>& a, const std::multiset<ReferenceMpi::Pair>& b) {
  std::string s;
  for (const auto& p : a) {
    if (!b.contains(p)) s += " " + p.first + ">" + p.second;
  }
  return s;
}

// Whatever MPI may have done with a random program, and whichever rank's events are read first: the same pairs.
TEST(P2p, agrees_with_a_small_mpi_on_random_programs) {
  const bool slow = std::getenv("VOUCH_SLOW_TESTS") != nullptr;
  const int traces = slow ? 4000 : 420, per_trace = 50;
  for (int seed = 1; seed <= traces; ++seed) {
    ReferenceMpi mpi(static_cast<std::uint64_t>(seed), 2 + seed % 3);
    for (int i = 0; i < per_trace; ++i) mpi.program(10 + (seed + i) % 60);
    const std::string text = mpi.text();
    const Matched found(text);
    ASSERT_EQ(found.error, "") << "seed " << seed;
    ASSERT_EQ(show(mpi.met, found.met), "") << "missing with seed " << seed;
    ASSERT_EQ(show(found.met, mpi.met), "") << "wrong with seed " << seed;
    ASSERT_TRUE(found.met == mpi.met) << "seed " << seed;
    ASSERT_EQ(show(mpi.seen, found.seen), "") << "probes missing with seed " << seed;
    ASSERT_EQ(show(found.seen, mpi.seen), "") << "probes wrong with seed " << seed;
    ASSERT_EQ(found.unmatched, mpi.unmatched) << "seed " << seed;
  }
}

}  // namespace
}  // namespace vouch
