#include "agent/root.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/json.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kObedience = seconds(2);  // for all agents to carry out a command
constexpr auto kPressed = seconds(3);    // for ranks elsewhere, while some wait for us
constexpr auto kAnswers = seconds(10);   // how to look at ranks
// How long we wait for others to say something, while nothing else is to be done.
constexpr auto kAskingSleep = milliseconds(2), kEndingSleep = milliseconds(5);

Deaths::Clock::time_point moment_of(std::int64_t nanoseconds) {
  return Deaths::Clock::time_point(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace

Result<std::unique_ptr<Root>> Root::found(RankHost& host) {
  std::unique_ptr<Root> root(new Root(host));
  auto peers = Peers::found(*root, host.options().net);
  if (!peers.ok()) return Error{peers.error()};
  root->begin(std::move(*peers));
  return root;
}

bool Root::on_rank(int rank, int size) {
  peers_->came(rank, size);
  return true;
}

void Root::talk() {
  talk_for(ending_.under_way() ? kEndingSleep : host_.asks() ? kAskingSleep : milliseconds(0));
  if (obeying_) {
    const bool all = all_guests([](const GuestAgent& g) { return g.obeyed; });
    if (all || Clock::now() - obeying_since_ > kObedience)
      all_obeyed(*std::exchange(obeying_, std::nullopt));
  }
  if (stage() == JobStage::gathering) gather();
}

void Root::gather() {
  const bool must = host_.launcher_ended() || pressed(Clock::now());
  const AgentOptions& options = host_.options();
  if (peers_->look(must, options.buffering, options.most_unexpected, options.ends_deadlocks,
                   options.fanout) != Peers::Ready::alone)
    return;
  if (obeying_) all_obeyed(*std::exchange(obeying_, std::nullopt));
  alone_ = true;
}

// Ranks have been through MPI_Init and are about to wait for room. Those that have not come by now
// do not come.
bool Root::pressed(Clock::time_point now) {
  const bool filling = host_.filling();
  if (!filling) pressed_since_.reset();
  if (filling && !pressed_since_) pressed_since_ = now;
  return filling && now - *pressed_since_ > kPressed;
}

void Root::on_command(const Command& command) {
  if (obeying_) all_obeyed(*obeying_);
  peers_->tell_all(Packet::command, command_bytes(command));
  obeying_ = command;
  obeying_since_ = Clock::now();
  for (auto& [node, guest] : guests_) guest.obeyed = false;
  host_.obey(command);
}

void Root::on_open(const MeshPlan& plan, int self) {
  open_links(plan, self);
  missing_ = plan.missing;
  for (int node = 1; node < plan.layout.nodes; ++node) guests_[node];
  enter(JobStage::running);
  if (any_lost()) give_up_deadlocks();  // while the mesh opened
  // Commands that came before are news to those who have joined since.
  if (obeying_) peers_->tell_all(Packet::command, command_bytes(*obeying_));
  if (host_.options().trace >= 0)
    host_.collector().not_checked({"the trace", "ranks on other nodes are not in it", 1, {}, {}});
}

void Root::give_up_deadlocks() {
  if (!lose_sight()) return;
  host_.collector().not_checked({"deadlocks", "not looked for after an agent was lost", 1, {}, {}});
}

void Root::on_lost(int node, const std::string& host, const std::string& why) {
  if (stage() >= JobStage::running && stage() < JobStage::concluding) give_up_deadlocks();
  const std::vector<int> ranks = peers_->ranks_of(node);
  const std::string lost =
      fmt::format("agent on {} was lost ({})", host.empty() ? "another node" : host, why);
  NotChecked gap{"an agent", "the " + lost, 1, {}, {}};
  if (!ranks.empty())
    gap = {rank_words(ranks), "not watched since their " + lost, ranks.size(), {}, {}};
  host_.collector().not_checked(std::move(gap));
}

bool Root::all_guests(const std::function<bool(const GuestAgent&)>& fits) const {
  return std::all_of(guests_.begin(), guests_.end(),
                     [&](const auto& g) { return fits(g.second) || peers_->lost(g.first); });
}

void Root::tell_judgement(const Judgement& judgement, std::size_t process) {
  const int node = Deaths::node(process);
  if (node == 0) return host_.tell_end(judgement);
  peers_->tell(node, Packet::judged, judgement.bytes());
}

std::string Root::dead_name(std::size_t process) {
  const auto elsewhere = names_.find(process);
  return elsewhere != names_.end() ? elsewhere->second : Home::dead_name(process);
}

// Every rank that lives is in MPI_Finalize, and there is one.
bool Root::all_finalizing() {
  const NodeStanding ours = host_.standing();
  if (ours == NodeStanding::running) return false;
  bool any = ours == NodeStanding::finalizing;
  for (const auto& [node, guest] : guests_) {
    if (peers_->lost(node)) continue;
    if (!guest.quiet || guest.standing == NodeStanding::running) return false;
    any = any || guest.standing == NodeStanding::finalizing;
  }
  return any;
}

bool Root::time_to_look(std::size_t read, Clock::time_point now) {
  if (stage() != JobStage::running) return false;
  if (read > 0) quiet_.on_read(now);
  // MPICH 4.0 may hang in MPI_Finalize over several nodes. It is not the program's fault, and
  // nothing that vouch does ends it.
  if (quiet_.hangs_in_finalize(now, all_finalizing()))
    send_line(
        host_.options().control, LineKind::notice,
        fmt::format("the ranks have been in MPI_Finalize for {} s; some MPI libraries hang there "
                    "over several nodes (MPICH 4.0 does), and the program is not to blame; "
                    "Ctrl-C ends the job and gives the report",
                    QuietWatch::kFinalizePatience.count()));
  const bool others = all_guests([](const GuestAgent& g) { return g.quiet; });
  return quiet_.time_to_look(now, blind() ? now : looked_, others);
}

Task<std::string> Root::tell_others_stuck(const std::vector<int>& stuck) {
  wait::RankSet all;
  for (const auto& [node, guest] : guests_) {
    for (const int rank : peers_->ranks_of(node)) all.add(rank);
  }
  inquiry_->ask(all);
  co_await waits_.until([this] { return inquiry_->answered() || blind(); }, kAnswers);
  if (host_.options().ends_deadlocks) peers_->tell_all(Packet::stuck, rank_bytes(stuck));
  co_return inquiry_->how_to_look_at_them();
}

bool Root::take(int from, Packet packet, std::string_view bytes) {
  switch (packet) {
#define VOUCH_TAKE_any(name, handler) \
  case Packet::name:                  \
    return handler(from, packet, bytes);
#define VOUCH_TAKE_to_root VOUCH_TAKE_any
#define VOUCH_TAKE_from_root(name, handler)
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

bool Root::take_came(int from, Packet, std::string_view bytes) {
  return peers_->take_came(from, bytes);
}

// Before the mesh is open nobody is a guest yet: what he says then does not count.
bool Root::take_finding(int from, Packet, std::string_view bytes) {
  auto finding = read_json_finding(bytes);
  if (!finding.ok() || guests_.count(from) == 0) return finding.ok();
  guests_[from].findings.push_back(std::move(*finding));
  send_line(host_.options().control, LineKind::finding, bytes);
  return true;
}

bool Root::take_death(int from, Packet, std::string_view bytes) {
  const auto death = DeathNotice::read(bytes);
  if (!death) return false;
  const std::size_t number = Deaths::number(from, death->process);
  names_[number] = death->rank >= 0 ? fmt::format("rank {}", death->rank)
                                    : fmt::format("a process on {}", peers_->host_of(from));
  if (death->abnormal) host_.search().give_up();
  host_.deaths().add({{number, death->how, death->abnormal, death->silent, death->unknown,
                       death->gave_up, death->finalized, death->signal, death->outside_mpi,
                       death->crowded, moment_of(death->hung_up), death->pid, death->stopped}},
                     Clock::now());
  return true;
}

bool Root::take_clock(int from, Packet, std::string_view bytes) {
  const auto clock = ClockNotice::read(bytes);
  if (clock) host_.deaths().clocks().heard(from, moment_of(clock->sent), Clock::now());
  return clock.has_value();
}

bool Root::take_ready(int from, Packet, std::string_view) {
  if (guests_.count(from) != 0) guests_[from].obeyed = true;
  return true;
}

bool Root::take_over(int from, Packet, std::string_view) { return guests_[from].over = true; }

bool Root::take_summary(int from, Packet, std::string_view bytes) {
  auto summary = read_json(bytes);
  if (summary.ok()) guests_[from].summary = std::move(*summary);
  return summary.ok();
}

bool Root::take_quiet(int from, Packet packet, std::string_view bytes) {
  GuestAgent& guest = guests_[from];
  guest.quiet = packet == Packet::quiet;
  guest.standing = bytes == "f"   ? NodeStanding::finalizing
                   : bytes == "g" ? NodeStanding::gone
                                  : NodeStanding::running;
  quiet_.on_news();
  return true;
}

bool Root::take_status(int from, Packet, std::string_view bytes) {
  return inquiry_->take_status(from, bytes);
}

bool Root::take_waves_out(int from, Packet, std::string_view) {
  inquiry_->take_waves_out(from);
  return true;
}

bool Root::take_closed(int from, Packet, std::string_view bytes) {
  orderly_elsewhere_ = orderly_elsewhere_ && bytes == "1";
  return guests_[from].closed = true;
}

bool Root::take_tallied(int from, Packet, std::string_view bytes) {
  guests_[from].tally = Tally::read(bytes);
  return guests_[from].tally.has_value();
}

}  // namespace vouch
