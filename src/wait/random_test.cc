// The engine against brute force: one terminal state [D11], the same on several nodes [D12], and
// nothing reported of programs that can run [D13].

#include <cstdlib>
#include <deque>

#include <gtest/gtest.h>

#include "wait/graph.h"
#include "wait/random_traces_test.h"

namespace vouch::wait {
namespace {

using namespace testing;

int rounds(int fast, int slow) { return std::getenv("VOUCH_SLOW_TESTS") != nullptr ? slow : fast; }

// Delivers in random order, but for what must not overtake.
class Delayed : public Network {
 public:
  void send(int to, Message m) override {
    queues_[{from, to, m.matching()}].push_back(std::move(m));
  }
  bool deliver(std::vector<std::unique_ptr<Node>>& nodes, Random& random) {
    if (queues_.empty()) return false;
    auto at = std::next(queues_.begin(), pick(random, static_cast<int>(queues_.size())));
    const auto [source, target, matching] = at->first;
    Message m = std::move(at->second.front());
    at->second.pop_front();
    if (at->second.empty()) queues_.erase(at);
    from = target;
    nodes[static_cast<std::size_t>(target)]->receive(source, std::move(m));
    return true;
  }
  int from = 0;

 private:
  std::map<std::tuple<int, int, bool>, std::deque<Message>> queues_;
};

// A trace fed to some nodes, in an order that keeps each rank's own.
class Job {
 public:
  Job(const Trace& trace, int nodes, Random& random) : Job(trace, nodes, random, any(random)) {}
  Job(const Trace& trace, int nodes, Random& random, const RestLimits& limits)
      : trace_(trace), random_(random) {
    Layout layout;
    layout.nodes = nodes;
    layout.fanout = 2;
    auto owners = std::make_shared<std::vector<int>>();
    for (int r = 0; r < trace.ranks; ++r) owners->push_back(pick(random, nodes));
    if (nodes > 1) layout.owners = owners;
    layout_ = layout;
    for (int i = 0; i < nodes; ++i) {
      nodes_.push_back(std::make_unique<Node>(i, layout, &network_));
      nodes_.back()->set_limits(limits);
      for (const auto& [comm, group] : trace.groups) nodes_.back()->define(comm, group);
    }
    next_.resize(trace.steps.size(), 0);
  }

  // Messages rest as early as they can, or hardly ever.
  static RestLimits any(Random& random) {
    RestLimits limits;
    limits.busy = pick(random, 2) == 0 ? 0 : limits.busy;
    limits.fewest = static_cast<std::size_t>(1 + pick(random, 2));
    return limits;
  }

  // One event of one rank, or one message, or one piece of work.
  bool step() {
    for (const auto& node : nodes_) rested = std::max(rested, node->resting());
    std::vector<Rank> able;
    for (Rank r = 0; r < trace_.ranks; ++r) {
      if (!done(r)) able.push_back(r);
    }
    if (!able.empty() && pick(random_, 2) == 0) {
      feed(able[static_cast<std::size_t>(pick(random_, static_cast<int>(able.size())))]);
      return true;
    }
    if (move_messages()) return true;
    if (able.empty()) return false;
    feed(able[0]);
    return true;
  }
  void run() {
    while (step()) {
    }
  }
  void ask(View view = {}) {
    network_.from = 0;
    nodes_[0]->request_snapshot(view);
  }
  std::optional<Snapshot> answer() { return nodes_[0]->take_snapshot(); }
  Snapshot state(View view = {}) {
    ask(view);
    run();
    return *answer();
  }
  std::uint64_t forgotten() const {
    std::uint64_t sum = 0;
    for (const auto& node : nodes_) sum += node->forgotten();
    return sum;
  }
  std::uint64_t rested = 0;  // on one node, at most
  Node& owner(Rank r) {
    const int i = layout_.owner(r);
    network_.from = i;
    return *nodes_[static_cast<std::size_t>(i)];
  }

 private:
  bool done(Rank r) const { return next_[static_cast<std::size_t>(r)] >= events(trace_, r); }
  void feed(Rank r) { testing::feed(trace_, r, next_[static_cast<std::size_t>(r)]++, owner(r)); }
  bool move_messages() {
    std::vector<std::size_t> order(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    if (pick(random_, 2) == 0 && network_.deliver(nodes_, random_)) return true;
    for (const std::size_t i : order) {
      network_.from = static_cast<int>(i);
      if (nodes_[i]->work()) return true;
    }
    return network_.deliver(nodes_, random_);
  }

  const Trace& trace_;
  Random& random_;
  Layout layout_;
  Delayed network_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::size_t> next_;
};

Trace make_trace(Random& random) {
  const int kind = pick(random, 4);
  Trace t = kind == 0 ? make_tangle(random) : kind == 1 ? make_flood(random) : make_program(random);
  execute(t, random);
  return t;
}

bool unresolved(const Trace& t) {
  for (const auto& steps : t.steps) {
    for (const Step& s : steps) {
      if (s.wildcard() && !s.known) return true;
    }
  }
  return false;
}

TEST(WaitRandom, terminal_state_is_the_oracles) {
  int stuck = 0, finished = 0, rested = 0;
  for (int i = 0; i < rounds(3000, 100000); ++i) {
    Random random(static_cast<unsigned>(i));
    const Trace trace = make_trace(random);
    Oracle oracle(trace);
    oracle.run(random);
    Oracle again(trace);
    again.run(random);
    Job job(trace, 1, random);
    job.run();
    rested += job.rested > 0;
    bool all = true;
    for (Rank r = 0; r < trace.ranks; ++r) {
      ASSERT_EQ(oracle.position(r), again.position(r)) << "seed " << i;
      ASSERT_EQ(oracle.position(r), job.owner(r).position(r)) << "seed " << i << " rank " << r;
      all = all && oracle.at_finalize(r);
    }
    ++(all ? finished : stuck);
    const Snapshot state = job.state();
    const Verdict verdict = judge(state, trace.groups);
    if (all) {
      ASSERT_TRUE(verdict.empty()) << "seed " << i;
    } else if (state.unexpected.empty() && !unresolved(trace)) {
      ASSERT_FALSE(verdict.empty()) << "seed " << i;
    }
    for (const int r : verdict.ranks.list()) ASSERT_FALSE(oracle.at_finalize(r)) << "seed " << i;
  }
  EXPECT_GT(stuck, finished / 20);
  EXPECT_GT(finished, stuck / 20);
  EXPECT_GT(rested, (stuck + finished) / 50);
}

TEST(WaitRandom, distributed_is_central) {
  for (int i = 0; i < rounds(1500, 100000); ++i) {
    Random random(static_cast<unsigned>(i));
    const Trace trace = make_trace(random);
    Job central(trace, 1, random);
    central.run();
    const Verdict expected = judge(central.state(), trace.groups);
    for (const int nodes : {2, 3, 8}) {
      Job job(trace, nodes, random);
      job.run();
      for (Rank r = 0; r < trace.ranks; ++r)
        ASSERT_EQ(central.owner(r).position(r), job.owner(r).position(r))
            << "seed " << i << " nodes " << nodes << " rank " << r;
      ASSERT_EQ(expected, judge(job.state(), trace.groups)) << "seed " << i << " nodes " << nodes;
    }
  }
}

// Whenever it is asked, it tells only of ranks that never come to their end.
TEST(WaitRandom, moments_of_a_run_never_show_what_is_not) {
  int asked = 0, sure = 0;
  for (int i = 0; i < rounds(1000, 20000); ++i) {
    Random random(static_cast<unsigned>(i));
    const Trace trace = make_trace(random);
    Oracle oracle(trace);
    oracle.run(random);
    const int sizes[] = {1, 2, 3, 8};
    Job job(trace, sizes[pick(random, 4)], random);
    bool under_way = false;
    do {
      if (!under_way && pick(random, 8) == 0) {
        job.ask();
        under_way = true;
      }
      if (const auto state = job.answer()) {
        under_way = false;
        ++asked;
        for (const int r : judge(*state, trace.groups).ranks.list())
          ASSERT_FALSE(oracle.at_finalize(r)) << "seed " << i << " rank " << r;
        // What no library could let go on has not gone on.
        for (const Deadlock& d : judge(*state, trace.groups, {.loose = true}).deadlocks) {
          if (!d.manifest) continue;
          ++sure;
          for (const Stuck& s : d.core) {
            for (const int r : s.ranks.list())
              ASSERT_FALSE(trace.steps[static_cast<std::size_t>(r)].back().done)
                  << "seed " << i << " rank " << r;
          }
        }
      }
    } while (job.step());
  }
  EXPECT_GT(asked, 500);
  EXPECT_GT(sure, 50);
}

// Nor does it where messages are forgotten.
TEST(WaitRandom, what_is_forgotten_makes_nobody_wait) {
  std::uint64_t forgotten = 0;
  for (int i = 0; i < rounds(2000, 50000); ++i) {
    Random random(static_cast<unsigned>(i));
    const Trace trace = make_trace(random);
    Oracle oracle(trace);
    oracle.run(random);
    RestLimits limits;
    limits.busy = 0;
    limits.fewest = 1;
    limits.most = static_cast<std::uint64_t>(pick(random, 3));
    const int sizes[] = {1, 2, 3, 8};
    Job job(trace, sizes[pick(random, 4)], random, limits);
    job.run();
    for (const int r : judge(job.state(), trace.groups).ranks.list())
      ASSERT_FALSE(oracle.at_finalize(r)) << "seed " << i << " rank " << r;
    forgotten += job.forgotten();
  }
  EXPECT_GT(forgotten, 100u);
}

// What the state is once everybody stands where he really is.
Snapshot in_silence(Job& job) {
  for (Snapshot before;;) {
    Snapshot now = job.state({.silent = true});
    bool moved = now.blocked != before.blocked || now.running != before.running;
    for (const Blocked& b : now.blocked) {
      if (!b.returned) continue;
      for (const int r : b.ranks.list()) moved = job.owner(r).relax(r) || moved;
    }
    if (!moved) return now;
    before = std::move(now);
  }
}

// A run that hangs is told, whatever its pending receives have taken; one that ended never is.
TEST(WaitRandom, every_hang_shows_in_silence) {
  int hung = 0, open = 0;
  for (int i = 0; i < rounds(2000, 50000); ++i) {
    Random random(static_cast<unsigned>(i));
    const Trace trace = make_trace(random);
    std::vector<bool> stuck;
    for (const auto& steps : trace.steps) stuck.push_back(steps.back().kind != Kind::finalize);
    const bool hangs = std::find(stuck.begin(), stuck.end(), true) != stuck.end();
    const int sizes[] = {1, 2, 3, 8};
    Job job(trace, sizes[pick(random, 4)], random);
    job.run();
    job.state();
    EXPECT_EQ(job.state().moving.empty(), true) << "seed " << i;
    if (hangs) {
      ++hung;
      open += judge(job.state(), trace.groups).empty();
    }
    const Verdict verdict = judge(in_silence(job), trace.groups);
    ASSERT_EQ(!verdict.empty(), hangs) << "seed " << i;
    for (const int r : verdict.ranks.list())
      ASSERT_TRUE(stuck[static_cast<std::size_t>(r)]) << "seed " << i << " rank " << r;
    for (const Deadlock& d : verdict.deadlocks) ASSERT_TRUE(d.manifest) << "seed " << i;
  }
  EXPECT_GT(hung, 100);
  EXPECT_GT(open, 20);  // that the rules alone could not tell
}

}  // namespace
}  // namespace vouch::wait
