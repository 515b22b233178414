#include "agent/guest.h"

#include <algorithm>
#include <utility>

#include "agent/quiet_watch.h"
#include "report/json.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kNobody = seconds(30);  // an agent that no rank comes to
constexpr auto kLastWords = seconds(60);
constexpr auto kEndingSleep = milliseconds(5);
// Between two looks at our ranks.
constexpr auto kQuietLook = milliseconds(25), kBusyLook = milliseconds(250);
constexpr auto kClock = seconds(1);  // between two words about our clock
constexpr std::size_t kStacks = 16;  // of the ranks that the root asks for

std::int64_t nanoseconds_of(Clock::time_point moment) {
  return std::chrono::nanoseconds(moment.time_since_epoch()).count();
}

}  // namespace

Result<std::unique_ptr<Guest>> Guest::join(RankHost& host) {
  const auto invitation = net::Invitation::parse(host.options().join);
  if (!invitation.ok()) return Error{invitation.error()};
  std::unique_ptr<Guest> guest(new Guest(host));
  auto peers = Peers::join(*guest, invitation.value());
  if (!peers.ok()) return Error{peers.error()};
  guest->begin(std::move(*peers));
  return guest;
}

void Guest::on_finding(const Finding& finding) {
  peers_->tell_root(Packet::finding, write_json_line(finding), net::Lane::regular);
}

bool Guest::on_rank(int rank, int size) {
  peers_->came(rank, size);
  return peers_->joined();
}

void Guest::on_deaths(std::vector<Deaths::Death> batch) {
  say_clock(Clock::now());
  for (const Deaths::Death& death : batch) {
    const DeathNotice notice{death.process, host_.pipeline().process(death.process).rank.value,
                             death.how,     death.abnormal,
                             death.silent,  death.unknown,
                             death.gave_up, death.finalized,
                             death.signal,  death.outside_mpi,
                             death.crowded, nanoseconds_of(death.hung_up),
                             death.pid,     death.stopped};
    peers_->tell_root(Packet::death, notice.bytes());
  }
}

void Guest::talk() {
  talk_for(ending_.under_way() ? kEndingSleep : milliseconds(0));
  root_lost_ = root_lost_ || (host_.ranks().empty() && Clock::now() - born_ > kNobody);
  if (stage() != JobStage::closing || said_closed_ || !all_flushed()) return;
  said_closed_ = true;
  peers_->tell_root(Packet::closed, host_.orderly() ? "1" : "0");
}

void Guest::look_about(std::size_t read) {
  const auto now = Clock::now();
  if (stage() >= JobStage::running && now - said_clock_ >= kClock) say_clock(now);
  say_over();
  say_quiet(read, now);
  if (now - looked_ < (read == 0 ? kQuietLook : kBusyLook)) return;
  if (stage() < JobStage::running || !host_.can_be_stuck()) return;
  looked_ = now;
  // The root judges; here only what the states of our ranks are made of is looked at.
  const Pause pause = host_.pause(now);
  host_.pipeline().pause(pause).run();
}

// The root compares the moments of deaths on several nodes.
void Guest::say_clock(Clock::time_point now) {
  said_clock_ = now;
  peers_->tell_root(Packet::clock, ClockNotice{nanoseconds_of(now)}.bytes());
}

// No more ranks will come, and all are gone and read.
void Guest::say_over() {
  if (said_over_ || !host_.launcher_ended() || stage() < JobStage::running || !host_.all_read())
    return;
  said_over_ = true;
  peers_->tell_root(Packet::over);
}

void Guest::say_quiet(std::size_t read, Clock::time_point now) {
  if (read > 0) last_read_ = now;
  const bool quiet = stage() >= JobStage::running && now - last_read_ > QuietWatch::kQuietFor;
  if (quiet == said_quiet_ || stage() < JobStage::running) return;
  said_quiet_ = quiet;
  if (!quiet) return peers_->tell_root(Packet::busy);
  const NodeStanding ours = host_.standing();
  peers_->tell_root(Packet::quiet, ours == NodeStanding::finalizing ? "f"
                                   : ours == NodeStanding::gone     ? "g"
                                                                    : "");
}

void Guest::on_open(const MeshPlan& plan, int self) {
  open_links(plan, self);
  enter(JobStage::running);
  if (any_lost()) lose_sight();  // while the mesh opened
}

void Guest::on_lost(int node, const std::string&, const std::string&) {
  if (stage() >= JobStage::running && stage() < JobStage::concluding) lose_sight();
  root_lost_ = root_lost_ || (node == 0 && stage() < JobStage::concluding);
}

void Guest::end() {
  ending_ = say_the_rest();
  ending_.start();
}

Task<> Guest::say_the_rest() {
  for (const Deaths::Death& death : host_.drain())
    host_.tell_end({death.process, End::killed, true, "when the run was over"});
  peers_->tell_root(Packet::summary, write_json_line(host_.conclude(false)), net::Lane::regular);
  co_await waits_.until([this] { return peers_->closed() || root_lost_; }, kLastWords);
  enter(JobStage::over);
}

bool Guest::take(int from, Packet packet, std::string_view bytes) {
  switch (packet) {
#define VOUCH_TAKE_any(name, handler) \
  case Packet::name:                  \
    return handler(from, packet, bytes);
#define VOUCH_TAKE_to_root(name, handler)
#define VOUCH_TAKE_from_root VOUCH_TAKE_any
#define VOUCH_PACKET(name, direction, first, last, handler) VOUCH_TAKE_##direction(name, handler)
#include "agent/packets.def"
#undef VOUCH_PACKET
#undef VOUCH_TAKE_from_root
#undef VOUCH_TAKE_to_root
#undef VOUCH_TAKE_any
    default:
      return false;
  }
}

bool Guest::take_judged(int, Packet, std::string_view bytes) {
  const auto judged = Judgement::read(bytes);
  if (!judged || judged->process >= host_.ranks().size()) return false;
  if (host_.ranks()[judged->process]->gone) host_.tell_end(*judged);
  return true;
}

bool Guest::take_command(int, Packet, std::string_view bytes) {
  const auto command = read_command(bytes);
  if (!command) return false;
  // What is known by now comes before our answer.
  host_.catch_up();
  host_.bury();
  host_.obey(*command);
  peers_->tell_root(Packet::ready);
  return true;
}

bool Guest::take_conclude(int, Packet, std::string_view bytes) {
  enter(JobStage::concluding);
  host_.world().end_elsewhere(bytes == "1");
  return true;
}

bool Guest::take_tolerate(int from, Packet, std::string_view bytes) {
  const auto label = read_label(bytes);
  if (label) host_.search().tolerate({label->first, links_->waits().site(from, label->second)});
  return label.has_value();
}

bool Guest::take_ask(int, Packet, std::string_view bytes) {
  const auto ranks = read_rank_bytes(bytes);
  if (!ranks) return false;
  std::size_t stacks = 0;
  for (const int rank : *ranks) {
    const StatusNotice notice = status_of(rank, stacks < kStacks);
    stacks += notice.pid != 0;
    peers_->tell_root(Packet::status, notice.bytes());
  }
  return true;
}

StatusNotice Guest::status_of(int rank, bool with_stack) {
  StatusNotice notice;
  notice.rank = rank;
  WaitLink& places = links_->waits();
  const World& world = host_.world();
  for (std::size_t i = 0; i < world.processes(); ++i) {
    const Process& process = world.process(i);
    if (process.rank.value != rank || process.spawned) continue;
    const RankStatus status = host_.search().status_of(process);
    notice.pid = process.pid;
    notice.call = status.call;
    notice.inside = status.inside;
    notice.over = status.over;
    for (const Site site : awaited(process)) notice.at.push_back(places.number(0, site));
    for (const Site site : status.broken) {
      if (host_.collector().offends(process.rank, site, kHangs))
        notice.broken.push_back(places.number(0, site));
    }
    if (!with_stack) continue;
    for (const Site site : host_.system().stack_of_call(process, host_.ranks()[i]->pid))
      notice.stack.push_back(places.number(0, site));
  }
  return notice;
}

bool Guest::take_blame(int from, Packet, std::string_view bytes) {
  const auto blame = Blame::read(bytes);
  if (blame)
    host_.collector().consequence(WorldRank{blame->rank}, links_->waits().site(from, blame->site),
                                  kHangs, blame->text);
  return blame.has_value();
}

bool Guest::take_stuck(int, Packet, std::string_view bytes) {
  const auto ranks = read_rank_bytes(bytes);
  if (ranks) host_.note_stuck(*ranks);
  return ranks.has_value();
}

bool Guest::take_flush_waves(int, Packet, std::string_view bytes) {
  const auto ranks = read_rank_bytes(bytes);
  if (!ranks) return false;
  host_.pipeline().facts().all_waves().send_open(&*ranks);
  peers_->tell_root(Packet::waves_out, {}, net::Lane::regular);
  return true;
}

bool Guest::take_close(int, Packet, std::string_view) {
  enter(JobStage::closing);
  close_facts();
  return true;
}

bool Guest::take_tally(int, Packet, std::string_view) {
  peers_->tell_root(Packet::tallied, links_->tally().bytes());
  return true;
}

}  // namespace vouch
