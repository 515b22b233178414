// The agent's part in looking for deadlocks over several nodes: it carries what the search says to
// the others, and knows when it is worth asking.

#include <algorithm>

#include <fmt/format.h>

#include "agent/agent_impl.h"
#include "agent/fate.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;

constexpr auto kQuietFor = milliseconds(20);  // nothing read: perhaps all wait
constexpr auto kFirstLook = milliseconds(25), kLastLook = milliseconds(1000);
constexpr auto kPatience = std::chrono::seconds(10);  // for a state of all agents
constexpr auto kFinalizePatience = std::chrono::seconds(10);
constexpr std::size_t kStacks = 16;  // of the ranks that the root asks for

}  // namespace

void Agent::work() {
  if (link_ == nullptr || blind_) return;
  while (search_->node().work()) {
  }
}

void Agent::say_quiet(std::size_t read) {
  const auto now = Clock::now();
  if (read > 0) last_read_ = now;
  const bool quiet = started_ && now - last_read_ > kQuietFor;
  if (quiet == said_quiet_ || !peers_->open()) return;
  said_quiet_ = quiet;
  if (quiet) {
    const Standing ours = standing();
    peers_->tell_root(Packet::quiet, ours == Standing::finalizing ? "f"
                                     : ours == Standing::gone     ? "g"
                                                                  : "");
  } else {
    peers_->tell_root(Packet::busy);
  }
}

Agent::Standing Agent::standing() {
  Standing all = Standing::gone;
  for (const auto& member : members_) {
    if (member->gone) continue;
    if (pipeline_.process(member->index).phase != Phase::finalizing) return Standing::running;
    all = Standing::finalizing;
  }
  return all;
}

// Every rank that lives is in MPI_Finalize, and there is one.
bool Agent::all_finalizing() {
  const Standing ours = standing();
  if (!peers_->open() || ours == Standing::running) return false;
  bool any = ours == Standing::finalizing;
  for (const auto& [node, guest] : guests_) {
    if (peers_->lost(node)) continue;
    if (!guest.quiet || guest.standing == Standing::running) return false;
    any = any || guest.standing == Standing::finalizing;
  }
  return any;
}

// MPICH 4.0 may hang in MPI_Finalize over several nodes. It is not the program's fault, and nothing
// that vouch does ends it.
void Agent::notice_finalize(Clock::time_point now) {
  // How long nothing was read says nothing: there may be no rank on this node at all.
  if (finalize_noticed_ || now - last_read_ < kQuietFor || !all_finalizing())
    return finalizing_since_.reset();
  if (!finalizing_since_) finalizing_since_ = now;
  if (now - *finalizing_since_ < kFinalizePatience) return;
  finalize_noticed_ = true;
  send_line(
      options_.control, LineKind::notice,
      fmt::format("the ranks have been in MPI_Finalize for {} s; some MPI libraries hang there "
                  "over several nodes (MPICH 4.0 does), and the program is not to blame; "
                  "Ctrl-C ends the job and gives the report",
                  kFinalizePatience.count()));
}

// All quiet: at once, then less and less often. Else now and then, since a part of the job may be
// stuck.
bool Agent::time_to_look(std::size_t read, Clock::time_point now) {
  if (read > 0) {
    last_read_ = now;
    look_pause_ = kFirstLook;
  }
  notice_finalize(now);
  const bool quiet = now - last_read_ > kQuietFor &&
                     std::all_of(guests_.begin(), guests_.end(),
                                 [&](auto& g) { return g.second.quiet || peers_->lost(g.first); });
  if (!quiet) all_quiet_since_ = now;
  if (blind_ || now - looked_ < (quiet ? std::max(look_pause_, kFirstLook) : kLastLook))
    return false;
  look_pause_ = std::clamp(look_pause_ * 2, kFirstLook, kLastLook);
  return true;
}

void Agent::take_waiting(int from, Packet packet, std::string_view bytes) {
  if (link_ == nullptr || (blind_ && packet == Packet::wait)) return;
  using Type = wait::Message::Type;
  switch (packet) {
    case Packet::wait:
      // A state tells which calls have returned.
      if (!bytes.empty() && (bytes[0] == static_cast<char>(Type::request_state) ||
                             bytes[0] == static_cast<char>(Type::request_waits)))
        settle_members();
      link_->take(from, packet, bytes);
      return;
    case Packet::place:
    case Packet::group:
      link_->take(from, packet, bytes);
      return;
    case Packet::quiet:
    case Packet::busy:
      if (guest()) return;
      guests_[from].quiet = packet == Packet::quiet;
      guests_[from].standing = bytes == "f"   ? Standing::finalizing
                               : bytes == "g" ? Standing::gone
                                              : Standing::running;
      look_pause_ = kFirstLook;
      return;
    case Packet::tolerate:
      if (const auto label = read_label(bytes))
        search_->tolerate({label->first, link_->site(from, label->second)});
      return;
    case Packet::ask:
      return answer(bytes);
    case Packet::status:
      if (auto doing = StatusNotice::read(bytes)) answers_.emplace_back(from, std::move(*doing));
      return;
    case Packet::blame:
      if (const auto blame = Blame::read(bytes))
        collector_.consequence(WorldRank{blame->rank}, link_->site(from, blame->site), kHangs,
                               blame->text);
      return;
    case Packet::stuck:
      if (const auto ranks = read_rank_bytes(bytes)) note_stuck(*ranks);
      return;
    default:
      return;
  }
}

// Collectives that the stuck ranks are in are told before the deadlock: they may be its reason.
void Agent::gather_waves(const std::vector<int>& stuck) {
  waves_out_.clear();
  peers_->tell_all(Packet::flush_waves, rank_bytes(stuck));
}

bool Agent::waves_gathered() {
  return std::all_of(guests_.begin(), guests_.end(), [&](const auto& g) {
    return waves_out_.count(g.first) != 0 || peers_->lost(g.first);
  });
}

std::chrono::nanoseconds Agent::quiet_for() { return Clock::now() - all_quiet_since_; }

void Agent::tolerate(wait::Label label) {
  for (const auto& [node, guest] : guests_)
    peers_->tell(node, Packet::tolerate, label_bytes(label.proc, link_->number(node, label.site)));
}

void Agent::ask(const wait::RankSet& ranks) {
  std::map<int, std::vector<int>> by_node;
  asked_ = 0;
  for (const int rank : ranks.list()) {
    const int node = world_.owner(WorldRank{rank});
    if (node <= 0 || peers_->lost(node)) continue;
    by_node[node].push_back(rank);
    ++asked_;
  }
  answers_.clear();
  for (const auto& [node, list] : by_node) peers_->tell(node, Packet::ask, rank_bytes(list));
}

std::vector<RankStatus> Agent::take_answers() {
  std::vector<RankStatus> result;
  for (const auto& [node, notice] : answers_) {
    RankStatus doing;
    doing.rank = notice.rank;
    doing.call = notice.call;
    doing.inside = notice.inside;
    doing.over = notice.over;
    for (const std::uint32_t site : notice.broken) doing.broken.push_back(link_->site(node, site));
    for (const std::uint32_t site : notice.stack) doing.stack.push_back(link_->site(node, site));
    // A collective between nodes has its finding here.
    for (const std::uint32_t number : notice.at) {
      const Site at = link_->site(node, number);
      if (at.value == 0 || !collector_.offends(WorldRank{notice.rank}, at, kHangs)) continue;
      doing.inside = true;
      doing.broken.push_back(at);
    }
    result.push_back(std::move(doing));
  }
  return result;
}

// Of the thread that is in an MPI call, from there outwards.
std::vector<Site> Agent::stack_of(const Process& process) {
  for (const std::vector<Site>& frames : stacks(process.index)) {
    for (const Thread& t : process.threads) {
      if (t.depth == 0) continue;
      const auto call = std::find(frames.begin(), frames.end(), t.calls[0].site());
      if (call != frames.end()) return {call, frames.end()};
    }
  }
  return {};
}

void Agent::answer(std::string_view bytes) {
  const auto ranks = read_rank_bytes(bytes);
  if (!ranks) return;
  std::size_t stacks = 0;
  for (const int rank : *ranks) {
    StatusNotice notice;
    notice.rank = rank;
    for (std::size_t i = 0; i < world_.processes(); ++i) {
      const Process& process = world_.process(i);
      if (process.rank.value != rank || process.spawned) continue;
      const RankStatus doing = search_->status_of(process);
      notice.pid = process.pid;
      notice.call = doing.call;
      notice.inside = doing.inside;
      notice.over = doing.over;
      for (const Site site : awaited(process)) notice.at.push_back(link_->number(0, site));
      for (const Site site : doing.broken) {
        if (collector_.offends(process.rank, site, kHangs))
          notice.broken.push_back(link_->number(0, site));
      }
      if (stacks++ >= kStacks) continue;
      for (const Site site : stack_of(process)) notice.stack.push_back(link_->number(0, site));
    }
    peers_->tell_root(Packet::status, notice.bytes());
  }
}

void Agent::blame(int rank, Site site, const std::string& text) {
  const int node = world_.owner(WorldRank{rank});
  if (node <= 0) return;
  const Blame blame{rank, link_->number(node, site), collector_.with_places(text)};
  peers_->tell(node, Packet::blame, blame.bytes());
}

// How to look at the ranks of the other nodes, as tell_stuck says it of ours.
Task<std::string> Agent::stuck_elsewhere() {
  wait::RankSet all;
  for (const auto& [node, guest] : guests_) {
    for (const int rank : peers_->ranks_of(node)) all.add(rank);
  }
  ask(all);
  co_await waits_.until([this] { return answered(); }, kPatience);
  std::string text;
  for (const auto& [node, notice] : answers_) {
    text += fmt::format("rank {}: process {} on {}: gdb -p {}\t", notice.rank, notice.pid,
                        peers_->host_of(node), notice.pid);
  }
  co_return text;
}

}  // namespace vouch
