// Rings whose records are damaged, read as the agent reads them, with all analyses, to the report.

#include <cstring>
#include <map>

#include <fcntl.h>
#include <unistd.h>

#include "agent/pipeline.h"
#include "agent/rounds.h"
#include "agent/schedule_watch.h"
#include "analysis/analysis.h"
#include "records.h"
#include "report/collector.h"
#include "report/json.h"
#include "report/text.h"

namespace vouch::fuzz {
namespace {

struct Lane {
  std::size_t process = 0, lane = 0;
  std::vector<std::uint64_t> ring;  // what is not read yet begins at `at`
  std::size_t at = 0;               // bytes
  std::uint32_t last = 0;           // number of its last record
  std::span<const std::byte> rest() const { return std::as_bytes(std::span(ring)).subspan(at); }
};

class Job {
 public:
  Job(Random& random, const Run& run, const std::vector<Record>& records)
      : random_(random),
        sites_(opened_files()),
        collector_(sites_),
        pipeline_(world_, sites_, collector_, analyses()),
        rounds_(
            pipeline_, [this] { return collector_.told(); }, &collector_) {
    if (random_.one_in(8)) {
      trace_ = std::make_unique<trace::Writer>(::open("/dev/null", O_WRONLY | O_CLOEXEC), "null");
      pipeline_.trace_to(trace_.get());
    }
    for (std::size_t i = 0; i < run.hints.size(); ++i)
      pipeline_.add_process(1000 + static_cast<int>(i), WorldRank{run.hints[i]});
    std::map<std::pair<int, int>, std::size_t> lanes;
    for (const Record& r : records) {
      const auto [found, is_new] = lanes.emplace(std::pair(r.process, r.thread), lanes_.size());
      if (is_new) {
        Lane lane;
        lane.process = static_cast<std::size_t>(r.process);
        lane.lane = pipeline_.add_thread(lane.process, r.thread);
        lanes_.push_back(std::move(lane));
      }
      Lane& lane = lanes_[found->second];
      std::uint64_t header[2];
      std::memcpy(header, &r.header, sizeof(header));
      lane.ring.insert(lane.ring.end(), header, header + 2);
      lane.ring.insert(lane.ring.end(), r.words.begin(), r.words.end());
      lane.last = r.header.seq;
    }
    // Somebody wrote over it.
    if (random_.one_in(4) && !lanes_.empty()) {
      std::vector<std::uint64_t>& ring = lanes_[random_.below(lanes_.size())].ring;
      std::size_t from = random_.below(ring.size());
      for (std::size_t n = random_.below(20); n > 0 && from < ring.size(); --n)
        ring[from++] = random_.number();
    }
  }

  void run() {
    while (read()) {
      if (random_.one_in(16)) pause();
    }
    // What is missing does not come any more.
    for (std::size_t turn = 0; turn < 1000 && skip_gaps(); ++turn) {
      while (read()) {
      }
    }
    for (int n = 0; n < 3; ++n) pause();
    end();
  }

 private:
  Analyses analyses() {
    Analyses all = make_analyses(world_, collector_);
    all.add<ScheduleWatch>(world_, collector_, nullptr);
    return all;
  }

  // As RankHost::read_rings.
  bool read() {
    bool any = false;
    rounds_.look();
    const std::size_t turn = 64u << random_.below(12);
    for (Lane& lane : lanes_) {
      if (rounds_.waits(lane.process) || (random_.one_in(4) && pipeline_.ahead(lane.process)))
        continue;
      any = read(lane, turn) || any;
    }
    if (rounds_.all_wait()) {
      std::vector<std::span<const std::byte>> ahead(world_.processes());
      std::vector<std::size_t> taken;
      for (const Lane& lane : lanes_) ahead[lane.process] = lane.rest();
      rounds_.go_on(ahead, taken);
      for (Lane& lane : lanes_) lane.at += taken[lane.process];
      any = true;
    } else if (!any && rounds_.any_waits()) {
      rounds_.let_go();
      any = true;
    }
    return any;
  }

  bool read(Lane& lane, std::size_t turn) {
    std::size_t done = 0;
    while (done < turn && !lane.rest().empty()) {
      const auto copy = pipeline_.copy().take(lane.rest(), turn - done);
      // Just as many bytes, so that reading behind them shows.
      const std::vector<std::byte> piece(copy.begin(), copy.end());
      const std::size_t taken = rounds_.feed(lane.process, lane.lane, piece, piece.size());
      lane.at += taken;
      done += taken;
      if (taken < piece.size() || rounds_.waits(lane.process)) break;
    }
    return done > 0;
  }

  bool skip_gaps() {
    bool found = false;
    for (std::size_t p = 0; p < world_.processes(); ++p) {
      bool any = false;
      std::uint32_t lowest = 0;
      for (const Lane& lane : lanes_) {
        std::uint32_t seq = 0;
        if (lane.process != p || !Intake::front(lane.rest(), seq)) continue;
        if (!any || static_cast<std::int32_t>(seq - lowest) < 0) lowest = seq;
        any = true;
      }
      if (any) pipeline_.skip_to(p, lowest);
      found = found || any;
    }
    return found;
  }

  void pause() {
    for (const Lane& lane : lanes_) {
      if (lane.rest().empty() || random_.one_in(3))
        pipeline_.returned(
            lane.process, lane.lane,
            random_.one_in(2) ? lane.last : static_cast<std::uint32_t>(random_.below(200)));
    }
    now_ += std::chrono::milliseconds(100 + random_.below(100'000));
    std::vector<std::uint64_t> polls(world_.processes());
    for (auto& p : polls) p = random_.number();
    pipeline_
        .pause(
            {now_, polls, [](std::size_t) { return std::vector<std::vector<Site>>(); },
             [this](std::size_t) { return std::chrono::nanoseconds(random_.below(1u << 30)); },
             [this](std::size_t) { return random_.one_in(2); },
             [this](std::size_t, std::span<const Pause::OpenCall>) { return random_.one_in(2); }})
        .run();
    for (const Lane& lane : lanes_) {
      if (random_.one_in(8)) pipeline_.let_go(lane.process).run();
    }
  }

  void end() {
    for (const Lane& lane : lanes_) {
      if (!random_.one_in(4) || lane.ring.size() < 4) continue;
      const std::size_t at = random_.below(lane.ring.size() - 2) * 8;
      const auto bytes = std::as_bytes(std::span(lane.ring)).subspan(at);
      const auto copy = pipeline_.copy().take(bytes, 1);
      pipeline_.tentative(lane.process, lane.lane,
                          std::vector<std::byte>(copy.begin(), copy.end()));
    }
    for (std::size_t p = 0; p < world_.processes(); ++p)
      pipeline_.end(p, pipeline_.told(p), random_.one_in(4));
    pipeline_.finish();
    const Summary summary = collector_.summary();
    const std::string json = write_json(summary), text = write_text(summary);
    if (trace_ != nullptr) trace_->close();
  }

  Random& random_;
  World world_;
  SiteTable sites_;
  Collector collector_;
  Pipeline pipeline_;
  Rounds rounds_;
  std::unique_ptr<trace::Writer> trace_;
  std::vector<Lane> lanes_;
  std::chrono::steady_clock::time_point now_{};
};

class Ring : public Target {
 public:
  explicit Ring(const std::string& corpus) : runs_(runs_of(corpus)) {}
  void run(Random& random) override {
    if (runs_.empty()) return;
    const std::size_t which = random.below(runs_.size());
    const std::vector<Record> records = mutate(random, runs_, which);
    Job(random, runs_[which], records).run();
  }

 private:
  const std::vector<Run> runs_;
};

}  // namespace

std::unique_ptr<Target> make_ring(const std::string& corpus) {
  return std::make_unique<Ring>(corpus);
}

}  // namespace vouch::fuzz
