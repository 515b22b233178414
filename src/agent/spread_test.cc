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
#include <utility>

#include "agent/file_link.h"
#include "agent/message_link.h"
#include "agent/moment_link.h"
#include "agent/wait_link.h"
#include "agent/wave_link.h"
#include "analysis/collective/collective.h"
#include "analysis/io/io.h"
#include "analysis/race/race.h"
#include "analysis/testing/run_text.h"
#include "analysis/type/type_match.h"
#include "analysis/unmatched/unmatched.h"
#include "match/facts.h"
#include "model/replay.h"
#include "report/collector.h"
#include "report/merge.h"

namespace vouch {
namespace {

Analyses make(World& world, Sink& sink) {
  Analyses all;
  all.add<TypeMatch>(world, sink);
  all.add<Collective>(world, sink);
  all.add<Unmatched>(world, sink);
  all.add<MessageRace>(world, sink);
  all.add<Io>(world, sink);
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
    messages_ = std::make_unique<MessageLink>(*this, *places_, world_, *facts_);
    moments_ = std::make_unique<MomentLink>(*this, facts_->clocks());
    waves_ = std::make_unique<WaveLink>(*this, *places_, *messages_, world_, *facts_);
    const auto home = [](const Members&) { return 0; };
    facts_->spread(messages_.get(), waves_.get(), moments_.get(), home);
    analyses_ = make(world_, collector_);
    files_ = std::make_unique<FileLink>(*this, *places_, world_, *analyses_.io);
    analyses_.io->spread(files_.get(), home);
    for (MatchObserver* observer : analyses_.observers) facts_->observe(observer);
    for (ActListener* listener : analyses_.act_listeners) facts_->listen(listener);
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
      case Packet::file:
        EXPECT_TRUE(files_->take(from, post.bytes));
        return;
      case Packet::moment:
      case Packet::met:
      case Packet::told:
        EXPECT_TRUE(moments_->take(from, post.packet, post.bytes));
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
    for (const auto& a : analyses_.in_order) a->finish();
    return collector_.summary();
  }

  void on_enter(Process& p, Call& c) override {
    for (const auto& a : analyses_.in_order) {
      if (a->wants(c.proc()).enter_of(c)) a->on_enter(p, c);
    }
    if (std::exchange(*analyses_.wants_changed, false)) facts_->ask_listeners();
    if (facts_->sees_enter(c.proc())) facts_->enter(p, c);
  }
  void on_leave(Process& p, Call& c, const Event& leave) override {
    for (const auto& a : analyses_.in_order) {
      if (a->wants(c.proc()).leave_of(c.fine(leave.error_class()))) a->on_leave(p, c, leave);
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
  std::unique_ptr<MomentLink> moments_;
  std::unique_ptr<WaveLink> waves_;
  std::unique_ptr<FileLink> files_;
  Analyses analyses_;
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

// Where which rank is; nothing: anywhere.
std::string together(const std::string& text, int count, unsigned seed,
                     std::vector<int> owners = {}) {
  const Result<TextTrace> trace = read_text(text);
  if (!trace) return trace.error();
  std::mt19937 random(seed);
  for (int r = static_cast<int>(owners.size()); r < trace.value().world_size; ++r)
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

// One course of a program whose receives take what comes, with everything that orders its calls.
std::string racy_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int size = 3 + pick(4);
  std::ostringstream text;
  std::string waits;
  int line = 0;
  const int rounds = 4 + pick(16);
  for (int i = 0; i < rounds; ++i) {
    line += 4;
    if (pick(4) == 0) {
      const char* const calls[] = {"Barrier", "Bcast",     "Reduce",  "Gather",    "Scan",
                                   "Exscan",  "Allreduce", "Scatter", "Allgatherv"};
      const int which = pick(9);
      const bool rooted = which >= 1 && which != 4 && which != 5 && which != 6 && which != 8;
      const int root = pick(size);
      // Without data nobody learns of anybody; with parts only of those that have one.
      const bool sided = which == 3 || which == 7, empty = which > 0 && pick(3) == 0;
      std::vector<int> parts;
      for (int r = 0; r < size; ++r) parts.push_back(pick(2));
      for (int r = 0; r < size; ++r) {
        text << r << " " << calls[which];
        if (rooted) text << " root=" << root;
        if (which == 8) {
          text << " sendcount=" << parts[static_cast<std::size_t>(r)] << " recvcounts=[";
          for (int q = 0; q < size; ++q)
            text << (q > 0 ? "," : "") << parts[static_cast<std::size_t>(q)];
          text << "]";
        } else if (empty) {
          text << (sided ? " sendcount=0 recvcount=0" : " count=0");
        }
        text << " @a.c:" << line << "\n";
      }
      continue;
    }
    const int from = pick(size), to = (from + 1 + pick(size - 1)) % size, tag = pick(4) / 3;
    const int count = 1 + pick(8) / 7;
    const bool any = pick(3) > 0, any_tag = pick(5) == 0, pending = pick(3) == 0;
    const char* const sends[] = {"Send", "Send", "Ssend", "Rsend"};
    const std::string send = sends[pick(4)];
    // A receive that is posted first and completed later is there when the sender comes.
    const std::string name = " request=r" + std::to_string(i);
    std::ostringstream recv, status;
    recv << " source=" << (any ? "ANY_SOURCE" : std::to_string(from))
         << " tag=" << (any_tag ? "ANY_TAG" : std::to_string(tag)) << " count=" << count
         << " @a.c:" << line + 2;
    if (any || any_tag) status << " -> status=(" << from << "," << tag << "," << 4 * count << ")";
    if (pending) text << to << " Irecv" << name << recv.str() << "\n";
    text << from << " " << send << " dest=" << to << " tag=" << tag << " count=" << count
         << " @a.c:" << line << "\n";
    std::ostringstream end;
    if (pending) {
      end << to << " Wait" << name << " @a.c:" << line + 3 << status.str() << "\n";
    } else {
      text << to << " Recv" << recv.str() << status.str() << "\n";
    }
    if (pending && pick(2) == 0) {
      waits += end.str();
    } else {
      text << end.str();
    }
  }
  text << waits;
  for (int r = 0; r < size; ++r) text << r << " Finalize @a.c:900\n";
  return text.str();
}

TEST(Spread, what_lies_before_what) {
  int races = 0, silent = 0, ready = 0, harmful = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const std::string text = racy_program(seed);
    const std::string found = alone(text);
    races += found.find("race/message ") != std::string::npos;
    harmful += found.find("race/message-harmful ") != std::string::npos;
    ready += found.find("unmatched/ready-send ") != std::string::npos;
    silent += found.empty();
    for (const int count : {2, 3})
      ASSERT_EQ(together(text, count, seed), found)
          << "seed " << seed << ", " << count << " agents\n"
          << text;
  }
  EXPECT_GT(races, 100);
  EXPECT_GT(harmful, 20);
  EXPECT_GT(ready, 50);
  EXPECT_GT(silent, 20);
}

// Accesses to one file, with and without what makes them visible to others.
std::string file_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int size = 2 + pick(4);
  std::ostringstream text;
  const auto all = [&](const std::string& call) {
    for (int r = 0; r < size; ++r) text << r << " " << call << "\n";
  };
  all("File_open filename=\"a\" amode=9 fh=f @a.c:1");
  if (pick(3) == 0)
    all("File_set_view fh=f disp=8 etype=MPI_INT filetype=MPI_INT datarep=\"native\" @a.c:2");
  for (int i = 0, rounds = 2 + pick(10); i < rounds; ++i) {
    const std::string at = " @a.c:" + std::to_string(10 + i);
    switch (pick(6)) {
      case 0:
        all("File_sync fh=f" + at);
        all("Barrier" + at);
        all("File_sync fh=f" + at);
        break;
      case 1:
        all("File_write_shared fh=f count=1" + at);
        break;
      default:
        text << pick(size) << (pick(2) == 0 ? " File_write_at" : " File_read_at")
             << " fh=f offset=" << 4 * pick(6) << " count=" << 1 + pick(2) << at << "\n";
    }
  }
  if (pick(4) > 0) all("File_close fh=f @a.c:40");
  all("Finalize @a.c:900");
  return text.str();
}

TEST(Spread, files) {
  int conflicts = 0, silent = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = file_program(seed);
    const std::string found = alone(text);
    conflicts += found.find("io/conflict ") != std::string::npos;
    silent += found.empty();
    for (const int count : {2, 3})
      ASSERT_EQ(together(text, count, seed), found)
          << "seed " << seed << ", " << count << " agents\n"
          << text;
  }
  EXPECT_GT(conflicts, 50);
  EXPECT_GT(silent, 50);
}

TEST(Spread, a_rank_on_each_node_and_none_on_the_root) {
  std::string text;
  for (int r = 0; r < 3; ++r) text += std::to_string(r) + " Barrier @b\n";
  for (int r = 1; r < 3; ++r) {
    const std::string n = std::to_string(r);
    text +=
        n + " Ssend dest=0 tag=9 @s\n0 Recv source=ANY_SOURCE tag=9 @r -> status=(" + n + ",9,4)\n";
  }
  text += "2 Barrier comm=SELF @own\n";
  for (int r = 0; r < 3; ++r) text += std::to_string(r) + " Barrier @c\n";
  for (int r = 0; r < 3; ++r) text += std::to_string(r) + " Finalize\n";
  const std::string found = alone(text);
  EXPECT_NE(found.find("race/message"), std::string::npos) << found;
  for (unsigned seed = 0; seed < 20; ++seed) EXPECT_EQ(together(text, 4, seed, {1, 2, 3}), found);
}

TEST(Spread, a_synchronous_send_knows_of_its_receive) {
  const auto program = [](const std::string& send) {
    return "1 Send dest=0 tag=0 @s1\n0 Recv source=ANY_SOURCE tag=0 @r1 -> status=(1,0,4)\n2 " +
           send +
           " dest=0 tag=1 @s2\n0 Recv source=2 tag=1 @r2\n2 Send dest=0 tag=0 @s3\n"
           "0 Recv source=2 tag=0 @r3\n0 Finalize\n1 Finalize\n2 Finalize\n";
  };
  EXPECT_NE(alone(program("Send")), "");
  EXPECT_EQ(alone(program("Ssend")), "");
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(together(program("Send"), 2, seed), alone(program("Send")));
    EXPECT_EQ(together(program("Ssend"), 2, seed), "");
  }
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

// Hands over at once.
class Straight : public Wire {
 public:
  WaitLink* to = nullptr;
  void send(int, net::Lane, Packet packet, std::string_view bytes) override {
    EXPECT_TRUE(to->take(1, packet, bytes));
  }
};

TEST(Places, call_paths_travel) {  // --stacks
  SiteTable ours, theirs;
  Straight wire;
  WaitLink receiver(wire, ours, 2), sender(wire, theirs, 2);
  wire.to = &receiver;
  const Site call = theirs.intern({"a.out", 0x40});
  const Site first =
      theirs.with_path(call, {theirs.intern({"a.out", 0x80}), theirs.intern_text("main.c:9")});
  const Site second = theirs.with_path(call, {theirs.intern_python("run.py", 3, "main")});
  const Site a = receiver.site(1, sender.number(0, first));
  const Site b = receiver.site(1, sender.number(0, second));
  const Site plain = receiver.site(1, sender.number(0, call));
  EXPECT_NE(a, b);
  EXPECT_TRUE(ours.path(plain).empty());
  ASSERT_EQ(ours.path(a).size(), 2u);
  EXPECT_EQ(ours.path(a)[0], ours.intern({"a.out", 0x80}));
  EXPECT_EQ(ours.resolve(ours.path(a)[1]).line, 9);
  ASSERT_EQ(ours.path(b).size(), 1u);
  EXPECT_EQ(ours.resolve(ours.path(b)[0]).function, "main");
}

}  // namespace
}  // namespace vouch
