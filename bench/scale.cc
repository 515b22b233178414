// The wait-state engine at sizes that no machine here can run: synthetic calls of up to 16,384
// ranks, one node or several in this process.
//
//   bench_scale            prints what it costs
//   bench_scale --check    and fails if the cost per call grows with the ranks, or a deadlock of
//   all
//                          ranks takes too long to tell
//
// Each rank sends to its right neighbour, receives from its left, waits, and joins a barrier each
// tenth time: the stress test of the paper.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "wait/draw.h"
#include "wait/graph.h"
#include "wait/node.h"

namespace {

using namespace vouch;
using namespace vouch::wait;
using Clock = std::chrono::steady_clock;

constexpr CommId kWorld = 1;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Messages arrive in the order in which they were sent.
class Wire : public Network {
 public:
  void send(int node, Message m) override { sent.push_back({from, node, std::move(m)}); }
  struct Sent {
    int from, to;
    Message message;
  };
  std::deque<Sent> sent;
  int from = 0;
};

class Machine {
 public:
  Machine(int ranks, int nodes) : ranks_(ranks) {
    layout_.nodes = nodes;
    auto owners = std::make_shared<std::vector<int>>();
    for (int r = 0; r < ranks; ++r)
      owners->push_back(static_cast<int>(static_cast<long>(r) * nodes / ranks));
    if (nodes > 1) layout_.owners = owners;
    auto world = std::make_shared<Group>();
    for (Rank r = 0; r < ranks; ++r) world->members.push_back(r);
    for (int i = 0; i < nodes; ++i) {
      nodes_.push_back(std::make_unique<Node>(i, layout_, &wire_));
      nodes_.back()->define(kWorld, world);
    }
    wave_.resize(static_cast<std::size_t>(ranks));
  }
  Node& owner(Rank r) {
    wire_.from = layout_.owner(r);
    return *nodes_[static_cast<std::size_t>(wire_.from)];
  }
  void deliver() {
    while (!wire_.sent.empty()) {
      Wire::Sent next = std::move(wire_.sent.front());
      wire_.sent.pop_front();
      wire_.from = next.to;
      Node& node = *nodes_[static_cast<std::size_t>(next.to)];
      node.receive(next.from, std::move(next.message));
      while (node.work()) {
      }
    }
  }
  static Label line(std::uint32_t n) { return {1, Site{n}}; }

  // Calls of one rank in one iteration; returns how many.
  int iterate(Rank r, int iteration) {
    Node& node = owner(r);
    const Rank right = (r + 1) % ranks_, left = (r + ranks_ - 1) % ranks_;
    const Index sent = node.send(
        r, {.label = line(1), .envelope = {kWorld, r, right, 0}, .blocks = false, .bytes = 4});
    node.returned(r, node.recv(r, line(2), {kWorld, left, r, 0}, true));
    const Index parts[] = {sent};
    node.returned(r, node.completion(r, line(3), parts, true));
    node.release(r, sent);
    if (iteration % 10 != 9) return 3;
    node.returned(r,
                  node.collective(r, line(4), kWorld, wave_[static_cast<std::size_t>(r)]++, true));
    return 4;
  }

  // Nanoseconds per call.
  double exchange(long calls) {
    const int iterations = std::max<int>(10, static_cast<int>(calls / 3 / ranks_));
    for (int i = 0; i < 10; ++i) {
      for (Rank r = 0; r < ranks_; ++r) iterate(r, i);
      deliver();
    }
    long made = 0;
    const auto start = Clock::now();
    for (int i = 0; i < iterations; ++i) {
      for (Rank r = 0; r < ranks_; ++r) made += iterate(r, i);
      deliver();
    }
    return seconds_since(start) * 1e9 / static_cast<double>(made);
  }

  std::size_t open_operations() const {
    std::size_t sum = 0;
    for (const auto& node : nodes_) sum += node->operations();
    return sum;
  }

  struct Told {
    double seconds = 0;
    std::size_t bytes = 0;
    bool right = false;
  };
  // All ranks wait for anybody: p * p arcs.
  Told knot() {
    for (Rank r = 0; r < ranks_; ++r) owner(r).recv(r, line(9), {kWorld, kAnyRank, r, 0}, true);
    deliver();
    const auto start = Clock::now();
    wire_.from = 0;
    nodes_[0]->request_snapshot();
    deliver();
    const Snapshot snapshot = *nodes_[0]->take_snapshot();
    const Verdict verdict = judge(snapshot, nodes_[0]->groups());
    const NameOf name = [](const Label& l) {
      return "MPI_Recv line " + std::to_string(l.site.value);
    };
    const std::string report = draw_dot(snapshot, verdict, nodes_[0]->groups(), name) +
                               draw_svg(snapshot, verdict, nodes_[0]->groups(), name);
    Told told;
    told.seconds = seconds_since(start);
    told.bytes = report.size() + snapshot.bytes();
    told.right = verdict.deadlocks.size() == 1 &&
                 verdict.deadlocks[0].shape == Deadlock::Shape::knot &&
                 verdict.ranks.size() == static_cast<std::size_t>(ranks_);
    return told;
  }

 private:
  const int ranks_;
  Layout layout_;
  Wire wire_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::uint64_t> wave_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  bool good = true;
  std::printf("%8s %6s %12s %12s %12s %10s\n", "ranks", "nodes", "ns/call", "knot s", "knot bytes",
              "open ops");
  for (const int nodes : {1, 64}) {
    double smallest = 0;
    for (const int ranks : {16, 256, 4096, 16384}) {
      if (nodes > ranks) continue;
      double best = 1e9;
      Machine::Told told;
      std::size_t open = 0;
      for (int round = 0; round < 3; ++round) {
        Machine machine(ranks, nodes);
        best = std::min(best, machine.exchange(2'000'000 / (nodes > 1 ? 4 : 1)));
        open = machine.open_operations();
        told = machine.knot();
      }
      std::printf("%8d %6d %12.1f %12.3f %12zu %10zu\n", ranks, nodes, best, told.seconds,
                  told.bytes, open);
      if (smallest == 0) smallest = best;
      // One node is what a machine of ranks has; caches alone make the larger ones dearer.
      if (nodes == 1 && best > smallest * 1.5) good = false;
      if (!told.right || told.seconds > 2 || told.bytes > 100'000 || open > 0) good = false;
    }
  }
  if (check) std::printf("%s\n", good ? "good" : "not good");
  return check && !good ? 1 : 0;
}
