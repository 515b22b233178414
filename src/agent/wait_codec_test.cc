// Wait-state messages as bytes; and the engine on agents that talk over real sockets reaches the
// same state as alone [D12].

#include "agent/wait_codec.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "event/proc.h"
#include "net/mesh_test.h"
#include "wait/graph.h"
#include "wait/node.h"
#include "wait/random_traces_test.h"

namespace vouch {
namespace {

using namespace wait;
using namespace wait::testing;
using net::testing::Crowd;
using net::testing::on_loopback;
using wait::Kind;  // not that of a parameter

constexpr int kRanks = 1000;

RankSet some_ranks(Random& random) {
  RankSet set;
  for (int n = pick(random, 4); n > 0; --n) {
    const Rank first = pick(random, kRanks - 20);
    set.add(first, first + pick(random, 20));
  }
  return set;
}

Snapshot some_snapshot(Random& random) {
  Snapshot s;
  for (int n = pick(random, 5); n > 0; --n) {
    Blocked b;
    b.label = {static_cast<std::uint16_t>(pick(random, 500)),
               Site{static_cast<std::uint32_t>(random())}};
    b.kind = static_cast<Kind>(pick(random, 7));
    b.returned = pick(random, 2) == 0;
    b.polling = pick(random, 2) == 0;
    b.all = pick(random, 2) == 0;
    b.ranks = some_ranks(random);
    for (int k = pick(random, 4); k > 0; --k) {
      Term t;
      t.kind = static_cast<Term::Kind>(pick(random, 4));
      t.side = static_cast<std::int8_t>(pick(random, 2));
      t.offered = pick(random, 2) == 0;
      t.loose = pick(random, 2) == 0;
      t.taken = pick(random, 2) == 0;
      t.rank = t.kind == Term::Kind::offset && !b.ranks.empty() ? -pick(random, b.ranks.first() + 1)
                                                                : pick(random, kRanks);
      t.comm = (std::uint64_t{random()} << 32) | random();
      t.wave = random();
      b.terms.push_back(t);
    }
    if (b.ranks.empty()) b.terms.clear();
    s.blocked.push_back(std::move(b));
  }
  for (int n = pick(random, 3); n > 0; --n)
    s.waves.push_back({random(), random(), some_ranks(random)});
  for (int n = pick(random, 3); n > 0; --n)
    s.unexpected.push_back({pick(random, kRanks), pick(random, kRanks)});
  s.running = some_ranks(random);
  s.finished = some_ranks(random);
  for (int n = pick(random, 3); n > 0; --n) s.undecided[pick(random, kRanks)] = some_ranks(random);
  s.still = some_ranks(random);
  s.moving = some_ranks(random);
  s.largest = random();
  s.decided = random() % 2 == 0;
  s.unmet = some_ranks(random);
  return s;
}

std::vector<Message> one_of_each(Random& random) {
  using Type = Message::Type;
  const Rank rank = pick(random, kRanks);
  const Index at = (std::uint64_t{random()} << 20) + random();
  const std::uint64_t comm = (std::uint64_t{random()} << 32) | random();
  return {
      {.type = Type::pass_send,
       .rank = rank,
       .at = at,
       .envelope = {comm, pick(random, kRanks), pick(random, kRanks), pick(random, 1 << 30)}},
      {.type = Type::recv_active, .rank = rank, .at = at},
      {.type = Type::collective_ready, .comm = comm, .wave = random(), .count = random()},
      {.type = Type::collective_ack, .comm = comm, .wave = random()},
      {.type = Type::request_state},
      {.type = Type::ping},
      {.type = Type::pong},
      {.type = Type::ack_state},
      {.type = Type::request_waits, .count = random() % 2},
      {.type = Type::waits, .snapshot = std::make_shared<Snapshot>(some_snapshot(random))},
      {.type = Type::relax, .rank = rank},
      {.type = Type::forgive, .rank = rank, .at = static_cast<Index>(pick(random, kRanks))},
      {.type = Type::lenient, .rank = rank, .at = at},
  };
}

void expect_equal(const Message& a, const Message& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.envelope.comm, b.envelope.comm);
  EXPECT_EQ(a.envelope.source, b.envelope.source);
  EXPECT_EQ(a.envelope.dest, b.envelope.dest);
  EXPECT_EQ(a.envelope.tag, b.envelope.tag);
  EXPECT_EQ(a.comm, b.comm);
  EXPECT_EQ(a.wave, b.wave);
  EXPECT_EQ(a.count, b.count);
  ASSERT_EQ(a.snapshot == nullptr, b.snapshot == nullptr);
  if (a.snapshot == nullptr) return;
  EXPECT_EQ(a.snapshot->blocked, b.snapshot->blocked);
  EXPECT_EQ(a.snapshot->waves, b.snapshot->waves);
  EXPECT_EQ(a.snapshot->unexpected, b.snapshot->unexpected);
  EXPECT_EQ(a.snapshot->running, b.snapshot->running);
  EXPECT_EQ(a.snapshot->finished, b.snapshot->finished);
  EXPECT_EQ(a.snapshot->undecided, b.snapshot->undecided);
  EXPECT_EQ(a.snapshot->still, b.snapshot->still);
  EXPECT_EQ(a.snapshot->moving, b.snapshot->moving);
  EXPECT_EQ(a.snapshot->largest, b.snapshot->largest);
  EXPECT_EQ(a.snapshot->decided, b.snapshot->decided);
  EXPECT_EQ(a.snapshot->unmet, b.snapshot->unmet);
}

TEST(WaitCodec, messages_come_back_and_no_part_of_one_does) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    for (const Message& m : one_of_each(random)) {
      std::string bytes;
      write_message(bytes, m);
      const auto again = read_message(bytes, kRanks);
      ASSERT_TRUE(again) << "seed " << seed << " type " << static_cast<int>(m.type);
      expect_equal(m, *again);
      for (std::size_t n = 0; n < bytes.size(); ++n)
        ASSERT_FALSE(read_message(bytes.substr(0, n), kRanks));
      ASSERT_FALSE(read_message(bytes + '\0', kRanks));
    }
  }
}

TEST(WaitCodec, processes_that_are_none_are_refused) {
  std::string bytes;
  write_message(bytes, {.type = Message::Type::relax, .rank = 7});
  EXPECT_TRUE(read_message(bytes, 8));
  EXPECT_FALSE(read_message(bytes, 7));
  Snapshot s;
  s.running.add(3, 9);
  bytes.clear();
  write_message(bytes, {.type = Message::Type::waits, .snapshot = std::make_shared<Snapshot>(s)});
  EXPECT_TRUE(read_message(bytes, 10));
  EXPECT_FALSE(read_message(bytes, 9));
}

TEST(WaitCodec, a_call_of_no_procedure_is_refused) {
  for (const std::uint16_t over : {0, 1}) {
    Blocked b;
    b.label.proc = static_cast<std::uint16_t>(static_cast<std::uint16_t>(Proc::count_) - 1 + over);
    b.ranks.add(1);
    Snapshot s;
    s.blocked = {b};
    std::string bytes;
    write_message(bytes, {.type = Message::Type::waits, .snapshot = std::make_shared<Snapshot>(s)});
    EXPECT_EQ(read_message(bytes, 4).has_value(), over == 0);
  }
}

TEST(WaitCodec, damaged_bytes_do_no_harm) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    for (const Message& m : one_of_each(random)) {
      std::string good;
      write_message(good, m);
      for (int i = 0; i < 20; ++i) {
        std::string bytes = good;
        for (int k = 1 + pick(random, 3); k > 0; --k)
          bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto read = read_message(bytes, kRanks);
        if (!read || !read->snapshot) continue;
        for (const int r : read->snapshot->running.list()) ASSERT_TRUE(r >= 0 && r < kRanks);
      }
    }
  }
}

// Tree ------------------------------------------------

TEST(Layout, comes_back) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Layout layout;
    layout.nodes = 1 + pick(random, 40);
    layout.fanout = 1 + pick(random, 20);
    auto owners = std::make_shared<std::vector<int>>();
    for (int n = pick(random, 300); n > 0; --n)
      owners->push_back(pick(random, 4) > 0 && !owners->empty() ? owners->back()
                                                                : pick(random, layout.nodes));
    if (!owners->empty()) layout.owners = owners;
    const std::string bytes = write_layout(layout);
    const auto again = read_layout(bytes, layout.nodes);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->fanout, layout.fanout);
    ASSERT_EQ(again->owners == nullptr, layout.owners == nullptr);
    if (layout.owners != nullptr) {
      EXPECT_EQ(*again->owners, *layout.owners);
    }
    EXPECT_FALSE(read_layout(bytes, layout.nodes + 1));
    for (std::size_t n = 0; n < bytes.size(); ++n)
      EXPECT_FALSE(read_layout(bytes.substr(0, n), layout.nodes));
  }
}

// The table of owners takes four bytes for each.
TEST(Layout, of_more_ranks_than_a_job_can_have_is_refused) {
  for (const auto& [ranks, fits] : {std::pair(1u << 20, true), {(1u << 20) + 1, false}}) {
    std::string bytes;
    ByteWriter out(bytes);
    for (const std::uint64_t n : {1u, 2u, ranks, 0u, ranks}) out.number(n);
    EXPECT_EQ(read_layout(bytes, 1).has_value(), fits);
  }
}

TEST(Layout, every_agent_has_one_parent_and_the_root_is_above_all) {
  for (const int nodes : {1, 2, 3, 8, 17, 100, 257}) {
    for (const int fanout : {1, 2, 3, 16}) {
      Layout layout;
      layout.nodes = nodes;
      layout.fanout = fanout;
      std::vector<int> parents(static_cast<std::size_t>(nodes), 0);
      for (int node = 0; node < nodes; ++node) {
        EXPECT_LE(layout.last_child(node) - layout.first_child(node), fanout);
        for (int c = layout.first_child(node); c < layout.last_child(node); ++c) {
          EXPECT_EQ(layout.parent(c), node);
          ++parents[static_cast<std::size_t>(c)];
        }
      }
      EXPECT_EQ(parents[0], 0);
      EXPECT_TRUE(std::all_of(parents.begin() + 1, parents.end(), [](int n) { return n == 1; }));
    }
  }
}

// Sockets ------------------------------------------------

// What the agents of one round know of each other besides messages: when all is over.
struct Round {
  const Trace* trace = nullptr;
  Layout layout;
  std::atomic<std::size_t> sent{0}, handled{0};
  std::atomic<int> fed{0}, left{0};
  std::atomic<bool> judged{false};
  std::vector<Index> positions;
  std::optional<Snapshot> state;

  // Nothing is under way, and nobody will begin.
  bool quiet(int nodes) const {
    if (fed.load() < nodes) return false;
    const std::size_t before = handled.load();
    return sent.load() == before;
  }
};

class Counting : public Network {
 public:
  Counting(net::Mesh& mesh, Round& round) : mesh_(mesh), round_(round) {}
  void send(int node, Message m) override {
    ++round_.sent;
    bytes_.clear();
    write_message(bytes_, m);
    mesh_.send(node, m.matching() ? net::Lane::regular : net::Lane::urgent, kWaitMessage, bytes_);
  }

 private:
  net::Mesh& mesh_;
  std::string bytes_;
  Round& round_;
};

// One agent's part of a round. All have left before the next begins, and nothing is under way then.
void play(net::testing::Member& member, Round& round, unsigned seed) {
  Random random(seed);
  const Trace& trace = *round.trace;
  const int self = member.mesh->self();
  Counting network(*member.mesh, round);
  Node node(self, round.layout, &network);
  for (const auto& [comm, group] : trace.groups) node.define(comm, group);
  member.heard = [&](const auto& heard) {
    auto message = read_message(heard.text, trace.ranks);
    ASSERT_TRUE(message && heard.type == kWaitMessage);
    node.receive(heard.from, std::move(*message));
    while (node.work()) {
    }
    ++round.handled;
  };
  std::vector<std::pair<Rank, std::size_t>> mine;  // and the next event
  for (Rank r = 0; r < trace.ranks; ++r) {
    if (round.layout.owner(r) == self && events(trace, r) > 0) mine.push_back({r, 0});
  }
  while (!mine.empty()) {
    auto& next = mine[static_cast<std::size_t>(pick(random, static_cast<int>(mine.size())))];
    feed(trace, next.first, next.second++, node);
    if (next.second == events(trace, next.first)) {
      std::swap(next, mine.back());
      mine.pop_back();
    }
    if (pick(random, 3) == 0) member.pump();
  }
  ++round.fed;
  bool asked = false;
  const auto until = net::testing::Clock::now() + std::chrono::seconds(60);
  while (!round.judged && net::testing::Clock::now() < until) {
    member.pump(std::chrono::milliseconds(1));
    if (self != 0 || !round.quiet(round.layout.nodes)) continue;
    if (!asked) {
      ++round.sent;  // the request is on its way
      node.request_snapshot();
      asked = true;
      ++round.handled;
    } else if (auto state = node.take_snapshot()) {
      round.state = std::move(state);
      round.judged = true;
    }
  }
  for (Rank r = 0; r < trace.ranks; ++r) {
    if (round.layout.owner(r) == self)
      round.positions[static_cast<std::size_t>(r)] = node.position(r);
  }
  member.heard = nullptr;
  member.messages.clear();
  ++round.left;
}

TEST(WaitOverSockets, distributed_is_central) {
  constexpr int kNodes = 3;
  const int rounds = std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 5000 : 150;
  Crowd crowd(kNodes);
  crowd.open();
  std::size_t messages = 0;
  int stuck = 0;
  for (int i = 0; i < rounds; ++i) {
    Random random(static_cast<unsigned>(i));
    Trace trace = make_program(random);
    execute(trace, random);

    Node alone(0, {}, nullptr);
    for (const auto& [comm, group] : trace.groups) alone.define(comm, group);
    for (Rank r = 0; r < trace.ranks; ++r) {
      for (std::size_t e = 0; e < events(trace, r); ++e) feed(trace, r, e, alone);
    }
    alone.request_snapshot();
    const Verdict expected = judge(*alone.take_snapshot(), trace.groups);

    Round round;
    round.trace = &trace;
    round.layout.nodes = kNodes;
    round.layout.fanout = 1 + i % 2;
    auto owners = std::make_shared<std::vector<int>>();
    for (int r = 0; r < trace.ranks; ++r) owners->push_back(pick(random, kNodes));
    round.layout.owners = owners;
    round.positions.resize(static_cast<std::size_t>(trace.ranks));
    {
      std::vector<std::jthread> threads;
      for (int node = 0; node < kNodes; ++node)
        threads.emplace_back(play, std::ref(crowd.at(node)), std::ref(round),
                             static_cast<unsigned>(i * kNodes + node));
    }
    ASSERT_TRUE(round.judged) << "seed " << i;
    for (Rank r = 0; r < trace.ranks; ++r)
      ASSERT_EQ(alone.position(r), round.positions[static_cast<std::size_t>(r)])
          << "seed " << i << " rank " << r;
    ASSERT_EQ(expected, judge(*round.state, trace.groups)) << "seed " << i;
    messages += round.sent;
    stuck += !expected.empty();
  }
  EXPECT_GT(messages, static_cast<std::size_t>(rounds) * 10);
  EXPECT_GT(stuck, rounds / 20);
  for (auto* m : crowd.all()) EXPECT_TRUE(m->lost.empty());
  EXPECT_TRUE(crowd.close());
}

}  // namespace
}  // namespace vouch
