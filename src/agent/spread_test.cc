// The same program under one agent and under several: the same findings.
//
// The agents are in this process; what they send each other waits in queues, one for each pair and
// lane, and is handed over in any order that the mesh could have.

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "agent/message_link.h"
#include "agent/wait_link.h"
#include "agent/wave_link.h"
#include "analysis/collective/collective.h"
#include "analysis/run_text.h"
#include "analysis/type/type_match.h"
#include "analysis/unmatched/unmatched.h"
#include "match/facts.h"
#include "model/replay.h"
#include "report/collector.h"
#include "report/merge.h"

namespace vouch {
namespace {

std::vector<std::unique_ptr<Analysis>> make(World& world, Sink& sink) {
  std::vector<std::unique_ptr<Analysis>> all;
  all.push_back(std::make_unique<TypeMatch>(world, sink));
  all.push_back(std::make_unique<Collective>(world, sink));
  all.push_back(std::make_unique<Unmatched>(world, sink));
  return all;
}

class OneAgent;

struct Post {
  Packet packet;
  std::string bytes;
};

// What is under way.
class Office {
 public:
  std::map<std::tuple<int, int, net::Lane>, std::deque<Post>> queues;
};

class OneAgent : public Wire, public Replay::Listener {
 public:
  OneAgent(Office& office, int self, const std::vector<int>& owners, const TextTrace& trace)
      : office_(office), self_(self), trace_(trace), collector_(sites_) {
    world_.spread(self, owners);
    for (std::size_t i = 1; i < trace.sites.size(); ++i) sites_.intern_text(trace.sites[i]);
    node_ = std::make_unique<wait::Node>(0, wait::Layout{}, nullptr);
    places_ = std::make_unique<WaitLink>(*this, sites_, static_cast<int>(owners.size()));
    places_->drive(node_.get());
    facts_ = std::make_unique<Facts>(world_);
    messages_ = std::make_unique<MessageLink>(*this, *places_, world_, facts_->mailroom());
    waves_ = std::make_unique<WaveLink>(*this, *places_, *messages_, world_, facts_->all_waves());
    facts_->spread(messages_.get(), waves_.get(), [](const Members&) { return 0; });
    analyses_ = make(world_, collector_);
    for (const auto& a : analyses_) {
      if (auto* observer = dynamic_cast<MatchObserver*>(a.get())) facts_->observe(observer);
    }
    std::erase_if(trace_.items, [&](const TextItem& item) {
      return owners[static_cast<std::size_t>(item.rank)] != self;
    });
  }

  void run() { Replay(world_).run(trace_, this); }
  void send(int node, net::Lane lane, Packet packet, std::string_view bytes) override {
    office_.queues[{self_, node, lane}].push_back({packet, std::string(bytes)});
  }
  void take(int from, const Post& post) {
    switch (post.packet) {
      case Packet::place:
        EXPECT_TRUE(places_->take(from, post.packet, post.bytes));
        return;
      case Packet::part:
        EXPECT_TRUE(waves_->take(from, post.bytes));
        return;
      default:
        EXPECT_TRUE(messages_->take(from, post.packet, post.bytes));
    }
  }
  void close() { facts_->close(); }
  Summary finish(bool orderly) {
    world_.end_elsewhere(orderly);
    facts_->finish();
    for (const auto& a : analyses_) a->finish();
    return collector_.summary();
  }

  void on_enter(Process& p, Call& c) override {
    for (const auto& a : analyses_) {
      if (a->wants(c.proc()).enter) a->on_enter(p, c);
    }
    if (facts_->sees_enter(c.proc())) facts_->enter(p, c);
  }
  void on_leave(Process& p, Call& c, const Event& leave) override {
    for (const auto& a : analyses_) {
      if (a->wants(c.proc()).leave) a->on_leave(p, c, leave);
    }
    if (facts_->sees_leave(c.proc())) facts_->leave(p, c, leave);
  }

 private:
  Office& office_;
  const int self_;
  TextTrace trace_;
  SiteTable sites_;
  Collector collector_;
  World world_;
  std::unique_ptr<wait::Node> node_;
  std::unique_ptr<WaitLink> places_;
  std::unique_ptr<Facts> facts_;
  std::unique_ptr<MessageLink> messages_;
  std::unique_ptr<WaveLink> waves_;
  std::vector<std::unique_ptr<Analysis>> analyses_;
};

// Some, or all, of what is under way; urgent ones first between any two.
void deliver(Office& office, std::vector<std::unique_ptr<OneAgent>>& agents, std::mt19937& random,
             bool all) {
  for (;;) {
    std::vector<std::tuple<int, int, net::Lane>> ready;
    for (const auto& [key, queue] : office.queues) {
      const auto& [from, to, lane] = key;
      const auto urgent = office.queues.find({from, to, net::Lane::urgent});
      const bool waits =
          lane == net::Lane::regular && urgent != office.queues.end() && !urgent->second.empty();
      if (!queue.empty() && !waits) ready.push_back(key);
    }
    if (ready.empty() || (!all && random() % 8 == 0)) return;
    const auto key = ready[random() % ready.size()];
    std::deque<Post>& queue = office.queues[key];
    const Post post = std::move(queue.front());
    queue.pop_front();
    agents[static_cast<std::size_t>(std::get<1>(key))]->take(std::get<0>(key), post);
  }
}

// One line per finding.
std::string lines(const Summary& summary) {
  std::set<std::string> all;
  for (const Finding& f : summary.findings) {
    std::string line = f.rule + " ranks=" + rank_list(f.ranks) + " " + f.message;
    for (const Location& l : f.locations) {
      // Where another agent's rank called it is not known.
      line += l.call == "MPI_Finalize" ? " " + l.call : " @" + where(l) + " " + l.call;
    }
    all.insert(line + "\n");
  }
  std::string text;
  for (const std::string& line : all) text += line;
  return text;
}

std::string alone(const std::string& text) { return lines(run_text_summary(text, make)); }

std::string together(const std::string& text, int count, unsigned seed) {
  const Result<TextTrace> trace = read_text(text);
  if (!trace) return trace.error();
  std::mt19937 random(seed);
  std::vector<int> owners;
  for (int r = 0; r < trace.value().world_size; ++r)
    owners.push_back(static_cast<int>(random() % static_cast<unsigned>(count)));
  Office office;
  std::vector<std::unique_ptr<OneAgent>> agents;
  for (int i = 0; i < count; ++i)
    agents.push_back(std::make_unique<OneAgent>(office, i, owners, trace.value()));
  std::vector<int> order;
  for (int i = 0; i < count; ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), random);
  for (const int i : order) {
    agents[static_cast<std::size_t>(i)]->run();
    deliver(office, agents, random, false);
  }
  deliver(office, agents, random, true);
  for (const int i : order) agents[static_cast<std::size_t>(i)]->close();
  deliver(office, agents, random, true);
  Summary summary;
  for (const auto& agent : agents) merge(summary, agent->finish(true));
  return lines(summary);
}

// Messages and collectives between a few ranks, with mistakes now and then.
std::string random_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int size = 2 + pick(4);
  std::ostringstream text;
  int line = 0, request = 0;
  const bool dup = pick(2) == 0;
  for (int r = 0; r < size && dup; ++r) text << r << " Comm_dup newcomm=d @a.c:1\n";
  const char* const types[] = {"INT", "INT", "INT", "DOUBLE", "CHAR"};
  const int rounds = 3 + pick(12);
  for (int i = 0; i < rounds; ++i) {
    const std::string comm = dup && pick(2) == 0 ? " comm=d" : "";
    if (pick(3) == 0) {
      const char* const calls[] = {"Barrier", "Bcast count=2", "Allreduce count=1", "Ibarrier"};
      const int which = pick(4);
      const int odd = pick(5) == 0 ? pick(size) : -1;
      line += 2;
      for (int r = 0; r < size; ++r) {
        const bool other = r == odd;
        if (pick(40) == 0) continue;  // it does not come
        text << r << " " << (other && pick(2) == 0 ? "Barrier" : calls[which]) << comm;
        if (which == 1 && !other) text << " root=0";
        if (which == 3) text << (other ? "" : " request=c" + std::to_string(++request));
        text << " @a.c:" << line + other << "\n";
      }
      continue;
    }
    const int from = pick(size), to = pick(size), tag = pick(3), count = 1 + pick(3);
    const char* type = types[pick(5)];
    const bool wrong = pick(6) == 0, lost = pick(10) == 0, late = pick(3) == 0;
    const std::string name = " request=r" + std::to_string(++request);
    const bool isend = pick(2) == 0;
    line += 4;
    text << from << (isend ? " Isend" + name : " Send") << comm << " dest=" << to << " tag=" << tag
         << " count=" << count << " type=" << type << " @a.c:" << line << "\n";
    if (isend && !late) text << from << " Wait" << name << " @a.c:" << line + 1 << "\n";
    if (!lost) {
      const bool any = pick(4) == 0;
      text << to << " Recv" << comm << " source=" << (any ? "ANY_SOURCE" : std::to_string(from))
           << " tag=" << tag << " count=" << count + (wrong ? -pick(2) : pick(2))
           << " type=" << (wrong ? types[pick(5)] : type) << " @a.c:" << line + 2;
      if (any) text << " -> status=(" << from << "," << tag << ",4)";
      text << "\n";
    }
    if (isend && late) text << from << " Wait" << name << " @a.c:" << line + 3 << "\n";
  }
  for (int r = 0; r < size; ++r) text << r << " Finalize @a.c:900\n";
  return text.str();
}

TEST(Spread, what_is_wrong_between_two_nodes) {
  const std::string text =
      "0 Send dest=1 tag=3 count=1 type=DOUBLE @a.c:1\n"
      "1 Recv source=0 tag=3 count=2 type=INT @a.c:2\n"
      "0 Send dest=1 tag=4 @a.c:3\n"
      "0 Bcast root=0 @a.c:4\n1 Bcast root=1 @a.c:4\n"
      "0 Finalize\n1 Finalize\n";
  const std::string found = alone(text);
  for (const char* rule : {"type/mismatch", "unmatched/send", "collective/root"})
    EXPECT_NE(found.find(rule), std::string::npos) << rule << "\n" << found;
  for (unsigned seed = 0; seed < 20; ++seed) EXPECT_EQ(together(text, 2, seed), found);
}

TEST(Spread, random_programs_give_the_same_findings) {
  int findings = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const std::string text = random_program(seed);
    const std::string found = alone(text);
    findings += !found.empty();
    for (const int count : {2, 3})
      ASSERT_EQ(together(text, count, seed), found)
          << "seed " << seed << ", " << count << " agents\n"
          << text;
  }
  EXPECT_GT(findings, 100);
}

}  // namespace
}  // namespace vouch
