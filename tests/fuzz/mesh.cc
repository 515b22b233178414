// Two agents of one job; what one sends the other is damaged on its way, in frames that are whole.
//
// Each agent has half of a real run's processes, all analyses and all links (agent/links.h). Keys
// and sockets are left out: the damaged frames are those of an agent that was let in. What agents
// say to become a mesh is tried alone (membership.h).

#include <cstring>
#include <deque>
#include <map>

#include "agent/links.h"
#include "agent/packets.h"
#include "agent/pipeline.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/io/io.h"
#include "membership.h"
#include "net/frame.h"
#include "records.h"
#include "report/collector.h"
#include "report/json.h"
#include "report/merge.h"

namespace vouch::fuzz {
namespace {

class OneAgent;

// What is under way, by receiver and lane.
struct Office {
  explicit Office(Random& r) : random(r) {}
  Random& random;
  net::Outbox boxes[2][net::kLanes];
  OneAgent* agents[2] = {};
  std::size_t damaged = 0;
  bool deliver(int to);
};

class OneAgent : public Wire, public RemoteRanks {
 public:
  OneAgent(Office& office, int self, const Run& run, const wait::Layout& layout)
      : office_(office),
        self_(self),
        sites_(opened_files()),
        collector_(sites_),
        pipeline_(world_, sites_, collector_, analyses()) {
    office.agents[self] = this;
    world_.spread(self, *layout.owners);
    ranks_ = static_cast<int>(layout.owners->size());
    MeshPlan plan;
    plan.layout = layout;
    const LinkedParts parts{world_, sites_, pipeline_.facts(), *search_, *io_};
    links_ = std::make_unique<Links>(*this, plan, self, parts, *this);
    std::map<std::pair<int, int>, std::size_t> lanes;
    std::map<int, std::size_t> numbers;
    for (const Record& r : run.records) {
      const int hint = run.hints[static_cast<std::size_t>(r.process)];
      if (hint < 0 || hint % 2 != self) continue;
      if (!numbers.contains(r.process))
        numbers[r.process] = pipeline_.add_process(1000 + r.process, WorldRank{hint});
      const auto [found, is_new] = lanes.emplace(std::pair(r.process, r.thread), lanes_.size());
      if (is_new) {
        lanes_.emplace_back();
        lanes_.back().process = numbers[r.process];
        lanes_.back().lane = pipeline_.add_thread(lanes_.back().process, r.thread);
      }
      std::vector<std::uint64_t>& ring = lanes_[found->second].ring;
      std::uint64_t header[2];
      std::memcpy(header, &r.header, sizeof(header));
      ring.insert(ring.end(), header, header + 2);
      ring.insert(ring.end(), r.words.begin(), r.words.end());
    }
  }

  bool read(Random& random) {
    bool any = false;
    for (Lane& lane : lanes_) {
      const auto rest = std::as_bytes(std::span(lane.ring)).subspan(lane.at);
      if (rest.empty()) continue;
      const std::size_t done =
          pipeline_.feed(lane.process, lane.lane, rest, 256u << random.below(8));
      lane.at += done;
      any = any || done > 0;
    }
    work();
    return any;
  }
  void work() {
    for (int n = 0; n < 10'000 && search_->node().work(); ++n) {
    }
  }
  void look(std::chrono::steady_clock::time_point now) {
    std::vector<std::uint64_t> polls(world_.processes());
    const Pause pause{now, polls};
    drive(pipeline_.pause(pause));
  }
  void close() { pipeline_.facts().close(); }
  void finish() {
    if (self_ == 0) drive(search_->last_look());
    for (std::size_t p = 0; p < world_.processes(); ++p) pipeline_.end(p, pipeline_.told(p), false);
    world_.end_elsewhere(true);
    pipeline_.finish();
    Summary summary = collector_.summary();
    for (Summary& other : summaries_) merge(summary, std::move(other));
    write_json(summary);
    if (self_ == 1) send(0, net::Lane::regular, Packet::summary, write_json_line(summary));
    for (const Finding& f : summary.findings)
      if (self_ == 1) send(0, net::Lane::regular, Packet::finding, write_json_line(f));
  }

  void send(int node, net::Lane lane, Packet packet, std::string_view bytes) override {
    if (node < 0 || node > 1 || node == self_) return;
    office_.boxes[node][static_cast<std::size_t>(lane)].add(type_of(packet), bytes);
  }
  // As Root and Guest do.
  void take(int from, Packet packet, std::string_view bytes) {
    if (links_->take(from, packet, bytes)) return;
    switch (packet) {
      case Packet::flush_waves:
        if (const auto ranks = read_rank_bytes(bytes))
          pipeline_.facts().all_waves().send_open(&*ranks);
        return;
      case Packet::tolerate:
        if (const auto label = read_label(bytes))
          search_->tolerate({label->first, links_->waits().site(from, label->second)});
        return;
      case Packet::blame:
        if (const auto blame = Blame::read(bytes))
          collector_.consequence(WorldRank{blame->rank}, links_->waits().site(from, blame->site),
                                 kHangs, blame->text);
        return;
      case Packet::status:
        if (auto doing = StatusNotice::read(bytes)) answers_.push_back(std::move(*doing));
        return;
      case Packet::finding:
        if (auto finding = read_json_finding(bytes); finding.ok()) write_json_line(*finding);
        return;
      case Packet::summary:
        if (auto summary = read_json(bytes); summary.ok())
          summaries_.push_back(std::move(*summary));
        return;
      default:
        DeathNotice::read(bytes);
        Judgement::read(bytes);
        Came::read(bytes);
        Tally::read(bytes);
        read_command(bytes);
        MeshPlan::read(bytes, 2);
    }
  }

  // Answers come until there is nothing under way, or for some time.
  template <typename T>
  void drive(Task<T> task) {
    task.start();
    for (int n = 0; task.under_way(); ++n) {
      for (OneAgent* agent : office_.agents) agent->work();
      const bool any = office_.deliver(0), other = office_.deliver(1);
      const bool hopeless = n % 200 == 199 || (!any && !other);
      search_->go_on(hopeless);
    }
  }
  void tolerate(wait::Label label) override {
    send(1 - self_, net::Lane::urgent, Packet::tolerate,
         label_bytes(label.proc, links_->waits().number(1 - self_, label.site)));
  }
  void gather_waves(const std::vector<int>& stuck) override {
    send(1 - self_, net::Lane::urgent, Packet::flush_waves, rank_bytes(stuck));
  }
  bool waves_gathered() override { return false; }
  void ask(const wait::RankSet& ranks) override {
    for (const int rank : ranks.list()) {
      StatusNotice notice;
      notice.rank = rank;
      notice.at = notice.broken = notice.stack = {1, 2};
      office_.agents[1]->send(0, net::Lane::urgent, Packet::status, notice.bytes());
    }
  }
  bool answered() override { return false; }
  std::vector<RankStatus> take_answers() override {
    std::vector<RankStatus> result;
    for (const StatusNotice& notice : answers_) {
      RankStatus doing;
      doing.rank = notice.rank;
      doing.call = notice.call;
      for (const std::uint32_t site : notice.broken)
        doing.broken.push_back(links_->waits().site(1, site));
      for (const std::uint32_t site : notice.stack)
        doing.stack.push_back(links_->waits().site(1, site));
      result.push_back(std::move(doing));
    }
    answers_.clear();
    return result;
  }
  std::chrono::nanoseconds quiet_for() override { return std::chrono::seconds(5); }
  void blame(int rank, Site site, const std::string& text) override {
    send(1 - self_, net::Lane::urgent, Packet::blame,
         Blame{rank, links_->waits().number(1 - self_, site), text}.bytes());
  }

 private:
  struct Lane {
    std::size_t process = 0, lane = 0, at = 0;
    std::vector<std::uint64_t> ring;
  };
  Analyses analyses() {
    Analyses all = make_analyses(world_, collector_);
    search_ = all.deadlock;
    io_ = all.io;
    return all;
  }

  Office& office_;
  const int self_;
  int ranks_ = 0;
  World world_;
  SiteTable sites_;
  Collector collector_;
  DeadlockSearch* search_ = nullptr;
  Io* io_ = nullptr;
  Pipeline pipeline_;
  std::unique_ptr<Links> links_;
  std::vector<StatusNotice> answers_;
  std::vector<Summary> summaries_;
  std::vector<Lane> lanes_;
};

bool Office::deliver(int to) {
  for (std::size_t lane = 0; lane < net::kLanes; ++lane) {
    if (boxes[to][lane].empty()) continue;
    const std::string bytes = boxes[to][lane].take(static_cast<net::Lane>(lane));
    const auto frame = net::read_frame(bytes);
    if (!frame) std::abort();
    net::Outbox sent;
    for (const net::Packet& p : frame->packets) {
      const bool bad = damaged < 20 && random.one_in(12);
      damaged += bad;
      const auto type = bad && random.one_in(10)
                            ? static_cast<net::Type>(net::kFirstUserType + random.below(40))
                            : p.type;
      if (random.one_in(60)) continue;  // never sent
      sent.add(type, bad ? damage_bytes(random, std::string(p.bytes)) : std::string(p.bytes));
      if (random.one_in(60)) sent.add(p.type, p.bytes);
    }
    while (!sent.empty()) {
      std::string again = sent.take(frame->lane);
      if (random.one_in(100)) again = damage_bytes(random, again);
      const auto arrived = net::read_frame(again);
      if (!arrived) continue;
      for (const net::Packet& p : arrived->packets)
        agents[to]->take(1 - to, static_cast<Packet>(p.type), std::string(p.bytes));
    }
    return true;
  }
  return false;
}

class Mesh : public Target {
 public:
  explicit Mesh(const std::string& corpus) : runs_(runs_of(corpus)) {
    std::erase_if(runs_, [](const Run& run) { return run.hints.size() < 2; });
  }
  void run(Random& random) override {
    if (random.one_in(4)) return damage_membership(random);
    if (runs_.empty()) return;
    const Run& run = runs_[random.below(runs_.size())];
    wait::Layout layout;
    layout.nodes = 2;
    layout.fanout = 2;
    auto owners = std::make_shared<std::vector<int>>();
    for (std::size_t r = 0; r < run.hints.size(); ++r) owners->push_back(static_cast<int>(r % 2));
    layout.owners = owners;
    Office office(random);
    OneAgent root(office, 0, run, layout), guest(office, 1, run, layout);
    std::chrono::steady_clock::time_point now{};
    for (int n = 0; n < 2000; ++n) {
      const bool a = root.read(random), b = guest.read(random);
      const bool c = office.deliver(0), d = office.deliver(1);
      if (random.one_in(30)) root.look(now += std::chrono::milliseconds(300));
      if (!a && !b && !c && !d) break;
    }
    for (int n = 0; n < 3; ++n) root.look(now += std::chrono::seconds(2));
    guest.close();
    root.close();
    for (int n = 0; n < 200 && (office.deliver(0) || office.deliver(1)); ++n) {
    }
    guest.finish();
    while (office.deliver(0)) {
    }
    root.finish();
  }

 private:
  std::vector<Run> runs_;
};

}  // namespace

std::unique_ptr<Target> make_mesh(const std::string& corpus) {
  return std::make_unique<Mesh>(corpus);
}

}  // namespace vouch::fuzz
