// The agent among those of other nodes.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "agent/agent_impl.h"
#include "report/json.h"
#include "report/merge.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kNobody = seconds(30);    // an agent that no rank comes to
constexpr auto kObedience = seconds(2);  // for all agents to carry out a command
constexpr auto kLastWords = seconds(60);
constexpr auto kPressed = seconds(3);  // for ranks elsewhere, while some wait for us

// The lowest agent of the tree below which all of them are.
int common_ancestor(const wait::Layout& layout, const World& world, const Members& members) {
  int common = -1;
  for (const int rank : members.list()) {
    int node = world.owner(WorldRank{rank});
    if (common < 0) common = node;
    while (common != node) {
      int& deeper = common > node ? common : node;
      deeper = layout.parent(deeper);
    }
  }
  return common < 0 ? 0 : common;
}

}  // namespace

void Agent::meet_peers() {
  if (guest()) {
    const auto invitation = net::Invitation::parse(options_.join);
    auto peers = invitation.ok() ? Peers::join(*this, invitation.value())
                                 : Result<std::unique_ptr<Peers>>(Error{invitation.error()});
    root_lost_ = !peers.ok();
    if (root_lost_) return;
    peers_ = std::move(*peers);
  } else if (options_.invites) {
    auto peers = Peers::found(*this, options_.net);
    if (!peers.ok()) no_peers_ = peers.error();
    if (peers.ok()) peers_ = std::move(*peers);
    send_line(options_.control, LineKind::invitation, peers_ ? peers_->invitation() : "");
  }
  if (peers_ == nullptr) return;
  started_ = false;
  watch(peers_->descriptor(), Watched::peers, 0);
}

void Agent::talk() {
  peers_->pump(milliseconds(0));
  work();
  peers_->pump(milliseconds(0));
  if (guest()) {
    root_lost_ = root_lost_ || (members_.empty() && Clock::now() - born_ > kNobody);
    if (closing_ && !said_closed_ && all_flushed()) {
      said_closed_ = true;
      peers_->tell_root(Packet::closed, orderly() ? "1" : "0");
    }
    return;
  }
  if (obeying_) {
    const bool all = std::all_of(guests_.begin(), guests_.end(), [&](const auto& g) {
      return g.second.obeyed || peers_->lost(g.first);
    });
    if (all || Clock::now() - obeying_since_ > kObedience)
      all_obeyed(*std::exchange(obeying_, std::nullopt));
  }
  if (started_) return;
  switch (peers_->look(launcher_ended_.has_value() || pressed(), options_.buffering,
                       options_.ends_deadlocks, options_.fanout)) {
    case Peers::Ready::waiting:
    case Peers::Ready::opened:
      return;
    case Peers::Ready::alone:
      if (obeying_) all_obeyed(*std::exchange(obeying_, std::nullopt));
      peers_.reset();
      started_ = true;
  }
}

// Ranks have been through MPI_Init and are about to wait for room. Those that have not come by now
// do not come.
bool Agent::pressed() {
  const auto now = Clock::now();
  const bool filling = std::any_of(members_.begin(), members_.end(),
                                   [](const auto& m) { return !m->gone && m->filling(); });
  if (!filling) pressed_since_.reset();
  if (filling && !pressed_since_) pressed_since_ = now;
  return filling && now - *pressed_since_ > kPressed;
}

void Agent::pass_on(const Command& command) {
  if (obeying_) all_obeyed(*obeying_);
  peers_->tell_all(Packet::command, command_bytes(command));
  obeying_ = command;
  obeying_since_ = Clock::now();
  for (auto& [node, guest] : guests_) guest.obeyed = false;
}

void Agent::on_joined() {
  for (const int fd : std::exchange(without_bell_, {})) send_bell(fd, bell_memory_);
}

void Agent::on_open(const MeshPlan& plan, int self) {
  std::vector<int> owners = *plan.layout.owners;
  for (const int rank : plan.missing) owners[static_cast<std::size_t>(rank)] = -1;
  world_.spread(self, std::move(owners));
  missing_ = plan.missing;
  link_ = std::make_unique<WaitLink>(*peers_, sites_, static_cast<int>(plan.layout.owners->size()));
  if (guest()) search_->set_buffering(plan.buffering);
  search_->spread(self, plan.layout, *link_, *this);
  link_->drive(&search_->node());
  Facts& facts = pipeline_.facts();
  messages_ = std::make_unique<MessageLink>(*peers_, *link_, world_, facts);
  moments_ = std::make_unique<MomentLink>(*peers_, facts.clocks());
  waves_ = std::make_unique<WaveLink>(*peers_, *link_, *messages_, world_, facts);
  const auto home = [this, layout = plan.layout](const Members& members) {
    return common_ancestor(layout, world_, members);
  };
  files_ = std::make_unique<FileLink>(*peers_, *link_, world_, *io_);
  io_->spread(files_.get(), home);
  facts.spread(messages_.get(), waves_.get(), moments_.get(), home);
  for (int node = 1; self == 0 && node < plan.layout.nodes; ++node) guests_[node];
  started_ = true;
  if (self != 0) return;
  // Orders that came before are news to those who have joined since.
  if (obeying_) peers_->tell_all(Packet::command, command_bytes(*obeying_));
  if (options_.trace >= 0)
    collector_.not_checked({"the trace", "ranks on other nodes are not in it", 1, {}, {}});
}

void Agent::on_message(int from, Packet packet, std::string_view bytes) {
  switch (packet) {
    case Packet::posted:
    case Packet::ended:
    case Packet::signature:
      if (messages_ != nullptr) messages_->take(from, packet, bytes);
      return;
    case Packet::part:
      if (waves_ != nullptr) waves_->take(from, bytes);
      return;
    case Packet::file:
      if (files_ != nullptr) files_->take(from, bytes);
      return;
    case Packet::moment:
    case Packet::met:
    case Packet::told:
      if (moments_ != nullptr) moments_->take(from, packet, bytes);
      return;
    case Packet::flush_waves:
      if (const auto ranks = read_rank_bytes(bytes); ranks && guest()) {
        pipeline_.facts().all_waves().send_open(&*ranks);
        peers_->tell_root(Packet::waves_out, {}, net::Lane::regular);
      }
      return;
    case Packet::waves_out:
      waves_out_.insert(from);
      return;
    case Packet::flushed:
      flushed_.insert(from);
      return;
    case Packet::close:
    case Packet::closed:
    case Packet::tally:
    case Packet::tallied:
      break;
    default:
      if (packet == Packet::wait || packet >= Packet::place)
        return take_waiting(from, packet, bytes);
  }
  if (guest() ? from != 0 : guests_.count(from) == 0) return;
  switch (packet) {
    case Packet::finding:
      if (auto finding = read_json_finding(bytes); finding.ok() && !guest()) {
        guests_[from].findings.push_back(std::move(*finding));
        send_line(options_.control, LineKind::finding, bytes);
      }
      return;
    case Packet::death:
      if (const auto death = DeathNotice::read(bytes); death && !guest()) {
        const std::size_t number = Deaths::number(from, death->process);
        names_[number] = death->rank >= 0 ? fmt::format("rank {}", death->rank)
                                          : fmt::format("a process on {}", peers_->host_of(from));
        if (death->abnormal) search_->give_up();
        deaths_.add({{number, death->how, death->abnormal, death->silent, death->unknown,
                      death->gave_up, death->finalized, death->signal, death->order}},
                    Clock::now());
      }
      return;
    case Packet::judged:
      if (const auto judged = Judgement::read(bytes);
          judged && guest() && judged->process < members_.size() && members_[judged->process]->gone)
        tell_end(*judged);
      return;
    case Packet::command:
      if (const auto command = read_command(bytes); command && guest()) {
        // What is known by now comes before our answer.
        look_at_descriptors(0);
        bury();
        obey(*command);
        peers_->tell_root(Packet::ready);
      }
      return;
    case Packet::ready:
      guests_[from].obeyed = true;
      return;
    case Packet::over:
      guests_[from].over = true;
      return;
    case Packet::conclude:
      if (!guest()) return;
      concluded_ = true;
      world_.end_elsewhere(bytes == "1");
      return;
    case Packet::close:
      if (guest() && !closing_) close_facts();
      return;
    case Packet::closed:
      guests_[from].closed = true;
      orderly_elsewhere_ = orderly_elsewhere_ && bytes == "1";
      return;
    case Packet::tally:
      if (guest() && moments_ != nullptr)
        peers_->tell_root(Packet::tallied, moments_->tally().bytes());
      return;
    case Packet::tallied:
      guests_[from].tally = Tally::read(bytes);
      return;
    case Packet::summary:
      if (auto summary = read_json(bytes); summary.ok() && !guest())
        guests_[from].summary = std::move(*summary);
      return;
    default:
      return;
  }
}

void Agent::on_lost(int node, const std::string& host, const std::string& why) {
  if (started_ && !concluded_ && !blind_) {
    blind_ = true;
    search_->lose_sight();
    if (!guest())
      collector_.not_checked({"deadlocks", "not looked for after an agent was lost", 1, {}, {}});
  }
  if (guest()) {
    root_lost_ = root_lost_ || (node == 0 && !concluded_);
    return;
  }
  const std::vector<int> ranks = peers_->ranks_of(node);
  collector_.not_checked(
      {ranks.empty() ? "an agent" : rank_words(ranks),
       fmt::format("not watched {}their agent on {} was lost ({})", ranks.empty() ? "" : "since ",
                   host.empty() ? "another node" : host, why),
       std::max<std::size_t>(1, ranks.size()),
       {},
       {}});
}

// No more ranks will come, and all are gone and read.
void Agent::say_over() {
  if (!guest() || said_over_ || !launcher_ended_ || !started_ || alive() > 0 || !dying_.empty())
    return;
  said_over_ = true;
  peers_->tell_root(Packet::over);
}

bool Agent::all_over() const {
  return peers_ == nullptr || std::all_of(guests_.begin(), guests_.end(), [&](const auto& g) {
           return g.second.over || peers_->lost(g.first);
         });
}

// What is still open is decided, and told to those whom it concerns; what comes behind is a mark.
void Agent::close_facts() {
  closing_ = true;
  pipeline_.facts().close();
  for (int node = 0; node < peers_->nodes(); ++node) {
    if (node != peers_->self()) peers_->tell(node, Packet::flushed, {}, net::Lane::regular);
  }
}

bool Agent::all_flushed() const {
  for (int node = 0; node < peers_->nodes(); ++node) {
    if (node != peers_->self() && !peers_->lost(node) && flushed_.count(node) == 0) return false;
  }
  return true;
}

// What one agent learns it may have to tell others. All is over when everything that went has come,
// twice: the agents do not count at the same time.
void Agent::await_moments() {
  Tally last{1, 0};
  for (const auto until = Clock::now() + kLastWords; !blind_ && Clock::now() < until;) {
    for (auto& [node, guest] : guests_) guest.tally.reset();
    peers_->tell_all(Packet::tally);
    if (!wait_for_guests([](const Guest& g) { return g.tally.has_value(); }, kLastWords)) return;
    Tally all = moments_->tally();
    for (const auto& [node, guest] : guests_) {
      if (!guest.tally) return;  // it is lost
      all.went += guest.tally->went;
      all.came += guest.tally->came;
    }
    if (all.went == all.came && all == last) return;
    last = all;
  }
}

// As analyses ask of each process whether what it left undone is a finding.
bool Agent::orderly() const {
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (p.end != End::exited || p.aborted || p.killed_from_outside || p.lossy ||
        (p.phase != Phase::finalized && (p.phase != Phase::before_init || p.exit_status != 0)))
      return false;
  }
  return true;
}

bool Agent::wait_for_guests(const std::function<bool(const Guest&)>& done,
                            std::chrono::seconds longest) {
  const auto all = [&] {
    return std::all_of(guests_.begin(), guests_.end(),
                       [&](const auto& g) { return done(g.second) || peers_->lost(g.first); });
  };
  for (const auto until = Clock::now() + longest; !all() && Clock::now() < until;) {
    step();
    peers_->pump(milliseconds(5));
    work();
  }
  return all();
}

void Agent::finish_with_peers() {
  if (!blind_) drive(search_->last_look());
  peers_->tell_all(Packet::close);
  close_facts();
  const bool whole =
      wait_for_guests([](const Guest& g) { return g.closed; }, kLastWords) && all_flushed();
  if (whole && moments_ != nullptr) await_moments();
  // What one agent leaves in command, another may not.
  bool orderly_all = whole && !blind_ && orderly_elsewhere_ && missing_.empty();
  world_.end_elsewhere(orderly_all);
  orderly_all = orderly_all && orderly();
  concluded_ = true;
  peers_->tell_all(Packet::conclude, orderly_all ? "1" : "0");
  wait_for_guests([](const Guest& g) { return g.summary.has_value(); }, kLastWords);
  for (const auto& [node, guest] : guests_) {
    if (!guest.summary && !peers_->lost(node))
      on_lost(node, peers_->host_of(node), "it did not come to an end");
  }
  peers_->end();
}

int Agent::finish_as_guest() {
  peers_->tell_root(Packet::summary, write_json_line(finish()), net::Lane::regular);
  for (const auto until = Clock::now() + kLastWords;
       !peers_->closed() && !root_lost_ && Clock::now() < until;) {
    step();
    peers_->pump(milliseconds(5));
  }
  return peers_->closed() ? 0 : 1;
}

// Types and blocks that were too large to be sent.
void Agent::tell_unsent() {
  if (messages_ == nullptr) return;
  if (messages_->unsent() > 0)
    collector_.not_checked({"types of messages between nodes",
                            "too large to be compared",
                            messages_->unsent(),
                            {},
                            {}});
  if (waves_->unsent() > 0)
    collector_.not_checked({"data of collectives between nodes",
                            "too many blocks to be compared",
                            waves_->unsent(),
                            {},
                            {}});
}

Summary Agent::joined_with_peers(Summary mine) {
  if (!missing_.empty()) {
    mine.not_checked.push_back({rank_words(missing_),
                                "never seen: libvouch.so was not loaded there, or no agent of "
                                "their node came to this one (see --net)",
                                missing_.size(),
                                {},
                                {}});
  }
  for (auto& [node, guest] : guests_) {
    if (!guest.summary) {
      guest.summary.emplace();
      guest.summary->findings = std::move(guest.findings);
    }
    merge(mine, std::move(*guest.summary));
  }
  return mine;
}

}  // namespace vouch
