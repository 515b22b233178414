#include "analysis/race/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/operation_place.h"
#include "base/count_words.h"
#include "event/text.h"
#include "match/channel.h"
#include "type/compare.h"
#include "type/path.h"

namespace vouch {
namespace {

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

}  // namespace

// ---- What is kept ----
MessageRace::Door& MessageRace::door(const Operation& recv) {
  return doors_[(std::uint64_t{recv.process} << 32) | recv.channel->number];
}

MessageRace::Side MessageRace::side_of(const Operation& op) {
  Side s;
  s.role = op.role;
  s.proc = op.proc;
  s.process = op.process;
  s.site = op.site;
  s.peer = op.peer;
  s.tag = op.tag;
  s.count = op.count;
  if (op.type != nullptr && op.count >= 0) s.type = op.type->signature;
  s.poisoned = op.poisoned;
  s.looked = op.looked;
  return s;
}

// A program reads the length from a probe's status and receives next: seen in the order of its
// calls.
Wants MessageRace::wants(Proc proc) const {
  const ProcInfo& about = info(proc);
  const bool source = about.recv.peer >= 0 && about.at.message < 0;
  return {.enter = probed_ && source && about.family == Family::p2p && !about.has(kPersistent),
          .leave = source && about.family == Family::probe};
}

void MessageRace::on_leave(Process& process, Call& call, const Event& leave) {
  const ProcInfo& about = call.info();
  const Event enter = call.enter();
  const int flag = about.at.flag, status = about.at.status;
  if (leave.error_class() != 0 || !leave.has_words() || (flag >= 0 && leave.result(flag) == 0))
    return;
  if (enter.value(about.recv.peer) != wire::kAnySource || enter.address(status) == wire::kIgnore) {
    told_.erase(process.index);
    return;
  }
  told_[process.index] = {enter.handle(about.at.object), leave.result_status(status).bytes,
                          call.site()};
  if (std::exchange(probed_, true)) return;
  want_again();
}

void MessageRace::on_enter(Process& process, Call& call) {
  if (told_.empty()) return;
  const auto told = told_.find(process.index);
  if (told == told_.end() || call.enter().handle(call.info().at.object) != told->second.comm)
    return;
  if (made_for_.size() >= kEnvelopes) made_for_.clear();
  made_for_[(std::uint64_t{process.index} << 32) | call.seq()] = told->second;
  told_.erase(told);
}

Site MessageRace::take_probe(const Operation& recv) {
  const auto found = made_for_.find((std::uint64_t{recv.process} << 32) | recv.seq);
  if (found == made_for_.end()) return {};
  const Told told = found->second;
  made_for_.erase(found);
  const bool fits =
      recv.type != nullptr && recv.count >= 0 &&
      recv.type->signature->digest.bytes * static_cast<std::uint64_t>(recv.count) == told.bytes;
  return fits ? told.site : Site{};
}

void MessageRace::on_match(const Match& match) {
  const Operation &send = match.send, &recv = match.recv;
  if (send.partitions != 0 || !clocks_->any_source(recv.process)) return;
  Door& at = door(recv);
  const auto looked = seen_.find(send.position());
  const Site probed = take_probe(recv);
  if (recv.peer == wire::kAnySource && !match.settled) add_choice(at, send, recv, probed);
  Message m;
  m.send = side_of(send);
  m.recv = side_of(recv);
  m.envelope = {send.me, send.tag};
  m.asked = {recv.peer, recv.tag};
  m.position = recv.position();
  m.when = send.when;
  m.conditional = recv.polled || recv.looked;
  m.needless = recv.needless;
  m.probed = probed;
  if (looked != seen_.end()) {
    m.asked = looked->second.asked;
    m.conditional = m.conditional || looked->second.conditional;
    seen_.erase(looked);
  }
  add_message(at, std::move(m));
  judge_later();
}

void MessageRace::on_probe(const Match& match) {
  const Operation &send = match.send, &recv = match.recv;
  if (recv.peer == wire::kAnySource) add_choice(door(recv), send, recv);
  if (!clocks_->any_source(recv.process)) return;
  if (seen_.size() >= kEnvelopes) seen_.clear();
  seen_[send.position()] = {{recv.peer, recv.tag}, recv.polled || recv.status_seen};
}

// At the end: it could have been taken by any of them.
void MessageRace::on_unmatched(const Operation& op, const NearMiss& near) {
  if (op.role != Role::send || op.partitions != 0 || near.rank.value < 0) return;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    if (world_.process(i).rank != near.rank || world_.process(i).stranger()) continue;
    const auto found = doors_.find((std::uint64_t{i} << 32) | op.channel->number);
    if (found == doors_.end()) return;
    Message m;
    m.send = side_of(op);
    m.envelope = {op.me, op.tag};
    m.position = kNobody;
    m.when = op.when;
    found->second.unreceived.push_back(m.envelope);
    add_message(found->second, std::move(m));
    return;
  }
}

void MessageRace::add_choice(Door& at, const Operation& send, const Operation& recv, Site probed) {
  Choice c;
  c.probed = probed;
  c.call = side_of(recv);
  c.took = side_of(send);
  c.asked = {recv.peer, recv.tag};
  c.message = {send.me, send.tag};
  c.position = recv.position();
  // A synchronous send that is complete knows of its receive, whose posting is all that is sure.
  c.number = send.mode == SendMode::synchronous && recv.issued != 0 ? recv.issued : recv.matched;
  c.status_seen = recv.status_seen;
  if (c.number == 0) return;
  if (at.choices.size() >= kKept) {
    at.choices.pop_front();
    at.choices_dropped = true;
  }
  // Told out of order at times.
  auto place = at.choices.end();
  while (place != at.choices.begin() && std::prev(place)->position > c.position) --place;
  place = at.choices.insert(place, std::move(c));
  std::uint32_t most = place == at.choices.begin() ? 0 : std::prev(place)->most;
  for (auto i = place; i != at.choices.end(); ++i) most = i->most = std::max(most, i->number);
  for (const Message& m : at.messages) {
    if (m.judged && m.position > place->position) consider(at, *place, m);
  }
}

void MessageRace::add_message(Door& at, Message m) {
  if (m.position != kNobody) {
    const auto part = [](std::int64_t v) { return scatter(static_cast<std::uint64_t>(v) + 1); };
    const std::uint64_t key =
        scatter(part(m.envelope.source) ^ scatter(part(m.envelope.tag)) ^
                scatter(scatter(part(m.asked.source) ^ scatter(part(m.asked.tag) + 1)))) +
        m.conditional;
    Pair* pair = nullptr;
    if (const auto found = at.pairs.find(key); found != at.pairs.end()) {
      pair = &found->second;
      at.overflow = at.overflow || pair->message != m.envelope || pair->asked != m.asked;
    } else if (at.pairs.size() < kEnvelopes) {
      pair = &(at.pairs[key] = {m.envelope, m.asked, m.conditional, 0});
    } else {
      at.overflow = true;
    }
    if (pair != nullptr) pair->last = std::max(pair->last, m.position);
  }
  std::erase_if(at.harms, [&](const auto& h) { return h.second.forbidden_by(m); });
  if (at.messages.size() >= kKept) {
    if (const Message& old = at.messages.front(); old.position != kNobody)
      at.dropped = std::max(at.dropped, old.position);
    at.messages.pop_front();
    ++at.first_message;
  }
  at.messages.push_back(std::move(m));
  Message& kept = at.messages.back();
  if (!kept.when) return;
  if (kept.when->known()) return judge(at, kept);
  later_.push_back({&at, at.first_message + at.messages.size() - 1});
}

// Messages whose sender's past has become known.
void MessageRace::judge_later() {
  while (!later_.empty()) {
    const Later next = later_.front();
    if (next.message >= next.door->first_message) {
      Message& m = next.door->messages[next.message - next.door->first_message];
      if (!m.when->known()) return;
      judge(*next.door, m);
    }
    later_.pop_front();
  }
}

// ---- Judging ----
void MessageRace::judge(Door& at, Message& m) {
  m.judged = true;
  if (m.when->unsure() || at.choices.empty()) return;
  const std::uint32_t known = m.when->count(at.choices.front().call.process);
  for (auto c = at.choices.rbegin(); c != at.choices.rend(); ++c) {
    if (c->most <= known) return;  // it lies behind all that are left
    if (c->position < m.position) consider(at, *c, m);
  }
}

void MessageRace::consider(Door& at, const Choice& c, const Message& m) {
  if (m.when->unsure() || m.when->knows(c.call.process, c.number)) return;
  if (c.message.source == m.envelope.source || !c.asked.fits(m.envelope)) return;
  const Key key{c.call.process, c.call.site.value, m.send.site.value};
  const auto old = found_.find(key);
  if (old == found_.end() && found_.size() >= kEnvelopes) return;
  // The one of the lowest rank is shown, so that equal runs tell the same.
  const auto rank = [&](const Side& s) { return world_.process(s.process).rank; };
  if (old == found_.end() || rank(m.send) < rank(old->second.message.send)) {
    found_[key] = {c, m, nullptr, {}};
    found_[key].message.when.reset();
  }
  if (c.call.poisoned || c.took.poisoned || m.send.poisoned || m.recv.poisoned) return;
  const char* kind = nullptr;
  if (std::string what = other_than_probed(c, m); !what.empty())
    return add_harm(at, HarmKind::misfit, c, m, "truncation", std::move(what));
  if (std::string what = misfit(c.call, c.took, m.send, kind); kind != nullptr)
    return add_harm(at, HarmKind::misfit, c, m, kind, std::move(what));
  if (c.status_seen || c.call.role == Role::look || m.position == kNobody || m.conditional) return;
  if (!m.asked.fits(c.message)) return add_harm(at, HarmKind::starves, c, m, nullptr, {});
  if (std::string what = misfit(m.recv, m.send, c.took, kind); kind != nullptr)
    add_harm(at, HarmKind::exchange, c, m, kind, std::move(what));
}

void MessageRace::add_harm(Door& at, HarmKind how, const Choice& c, const Message& m,
                           const char* kind, std::string what) {
  const HarmKey key{
      how,         c.call.site.value, m.send.site.value, m.recv.site.value, m.asked.source,
      m.asked.tag, c.message.source,  c.message.tag};
  const auto old = at.harms.find(key);
  if (old == at.harms.end() ? at.harms.size() >= kHarms
                            : how != HarmKind::starves || old->second.choice.position >= c.position)
    return;  // of those that starve, later ones have less to fall back on: the latest is enough
  Harm harm{c, m, kind, std::move(what), how == HarmKind::exchange};
  harm.message.when.reset();
  if (at.dropped > c.position) return;  // nobody knows what came between them
  for (const Message& between : at.messages) {
    if (harm.forbidden_by(between)) return;
  }
  at.harms.insert_or_assign(key, std::move(harm));
}

// Messages of one sender are taken in their order.
bool MessageRace::Harm::forbidden_by(const Message& m) const {
  if (m.position <= choice.position || m.position >= message.position) return false;
  if (m.envelope.source == message.envelope.source && choice.asked.fits(m.envelope)) return true;
  return exchange && m.envelope.source == choice.message.source && m.asked.fits(choice.message);
}

std::string MessageRace::misfit(const Side& recv, const Side& took, const Side& send,
                                const char*& kind) {
  // What a probe told of is received into a buffer made for it.
  if (recv.role != Role::recv || recv.looked) return {};
  if (recv.type == nullptr || send.type == nullptr) return {};
  const auto n = static_cast<std::uint64_t>(send.count),
             room = static_cast<std::uint64_t>(recv.count);
  const Comparison other = compare(send.type, n, recv.type, room);
  using What = Comparison::What;
  if (other.what != What::truncation && other.what != What::mismatch) return {};
  if (took.type != nullptr) {
    const What now =
        compare(took.type, static_cast<std::uint64_t>(took.count), recv.type, room).what;
    if (now == What::truncation || now == What::mismatch) return {};  // a finding already
  }
  if (other.what == What::truncation) {
    kind = "truncation";
    const std::uint64_t bytes = send.type->digest.bytes * n;
    return fmt::format("{} {} where there is room for {}", count_words(bytes, "byte"),
                       bytes == 1 ? "arrives" : "arrive", recv.type->digest.bytes * room);
  }
  kind = "mismatch";
  return fmt::format("item {} is sent as {} and received as {}", other.item, name_of(other.sent),
                     name_of(other.received));
}

// Only a receive of the status's source and tag gets the message that a probe saw (MPI-4.1 3.8.1).
std::string MessageRace::other_than_probed(const Choice& c, const Message& m) {
  if (c.probed.value == 0 || m.probed.value == 0 || c.call.role != Role::recv) return {};
  const auto bytes = [](const Side& s) {
    return s.type == nullptr ? 0 : s.type->digest.bytes * static_cast<std::uint64_t>(s.count);
  };
  const std::uint64_t one = bytes(c.took), other = bytes(m.send);
  if (one == other) return {};
  return fmt::format(
      "the probe at {} may see the one message and this receive take the other: {} where "
      "there is room for {}; receive from the status's MPI_SOURCE",
      mention(c.probed), count_words(std::max(one, other), "byte"), std::min(one, other));
}

// No chain of other messages leads from the receive that lost its message to the one that is free.
bool MessageRace::starves(const Door& at, const Harm& s) const {
  if (at.overflow) return false;
  std::vector<Envelope> hungry{s.message.asked};
  for (std::size_t i = 0; i < hungry.size(); ++i) {
    const Envelope asked = hungry[i];
    if (asked.fits(s.choice.message)) return false;
    for (const Envelope& m : at.unreceived) {
      if (asked.fits(m)) return false;
    }
    for (const auto& [key, pair] : at.pairs) {
      if (pair.last <= s.choice.position || !asked.fits(pair.message)) continue;
      if (pair.conditional) return false;
      if (std::find(hungry.begin(), hungry.end(), pair.asked) == hungry.end())
        hungry.push_back(pair.asked);
    }
  }
  return true;
}

bool MessageRace::orderly() const {
  int seen = 0;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (p.phase != Phase::finalized || p.end != End::exited || p.aborted || p.lossy) return false;
    seen += !p.stranger();
  }
  if (world_.several() && !world_.orderly_elsewhere()) return false;
  return seen + world_.ranks_elsewhere() >= world_.all();
}

// ---- Telling ----
Place MessageRace::place(const Side& s, std::string role) const {
  Operation op;
  op.role = s.role;
  op.proc = s.proc;
  op.process = s.process;
  op.site = s.site;
  op.peer = s.peer;
  op.tag = s.tag;
  op.count = s.count;
  return place_of(world_, op, std::move(role));
}

void MessageRace::tell(const Found& f) {
  const int other = world_.process(f.message.send.process).rank.value;
  std::vector<Place> places{place(f.choice.call), place(f.message.send, "could also be taken")};
  if (f.kind == nullptr) {
    sink_.report(
        {.rule = Rule::race_message,
         .severity = info(Rule::race_message).severity,
         .message = fmt::format("it took the message of rank {}; that of rank {} sent at {} "
                                "could have come first",
                                world_.process(f.choice.took.process).rank.value, other,
                                mention(f.message.send.site)),
         .places = std::move(places)});
    return;
  }
  if (f.exchange) {
    places.push_back(place(f.message.recv, "gets the other one"));
  } else if (f.message.recv.proc != Proc::none && (f.kind[0] == 'd' || f.kind[0] == 'u')) {
    places.push_back(place(f.message.recv, "goes without"));
  }
  sink_.report({.rule = Rule::race_message_harmful,
                .severity = info(Rule::race_message_harmful).severity,
                .message = fmt::format("it could also take the message that rank {} sent at {}: {}",
                                       other, mention(f.message.send.site), f.harm),
                .cause = f.kind,
                .places = std::move(places),
                .potential = true});
}

// What is still possible now that all messages are known.
void MessageRace::tell_harms(Door& at) {
  const bool complete = !at.harms.empty() && orderly();
  for (auto& [key, h] : at.harms) {
    const std::uint32_t process = h.choice.call.process;
    const auto found = found_.find({process, h.choice.call.site.value, h.message.send.site.value});
    if (found == found_.end() || found->second.kind != nullptr) continue;
    const std::string other = mention(h.message.recv.site);
    const int sender = world_.process(h.choice.took.process).rank.value;
    if (h.exchange) {
      h.what = fmt::format("then the receive at {} gets the message of rank {}, and {}", other,
                           sender, h.what);
    } else if (h.kind == nullptr) {
      if (!complete || world_.process(process).threads.size() > 1 || !starves(at, h)) continue;
      h.kind = h.message.needless ? "unmatched" : "deadlock";
      h.what = h.message.needless ? fmt::format(
                                        "then the receive at {} gets none, and nobody receives the "
                                        "message of rank {}",
                                        other, sender)
                                  : fmt::format("then the receive at {} waits forever", other);
    }
    found->second = {h.choice, h.message, h.kind, h.what, h.exchange};
  }
}

void MessageRace::finish() {
  while (!later_.empty()) {
    const Later next = later_.front();
    later_.pop_front();
    if (next.message < next.door->first_message) continue;
    Message& m = next.door->messages[next.message - next.door->first_message];
    if (m.when->known()) judge(*next.door, m);
  }
  for (auto& [key, at] : doors_) tell_harms(at);
  if (orderly()) {
    for (auto& [key, at] : doors_) find_thefts(at);
  }
  // A harmful choice is not told as a harmless one as well.
  for (const auto& [key, f] : found_) {
    const auto harmful = [&](const auto& other) {
      return other.second.kind != nullptr && std::get<0>(other.first) == std::get<0>(key) &&
             std::get<1>(other.first) == std::get<1>(key);
    };
    if (f.kind == nullptr &&
        std::any_of(found_.lower_bound({std::get<0>(key), std::get<1>(key), 0}), found_.end(),
                    harmful))
      continue;
    tell(f);
  }
  if (clocks_->given_up() && !doors_.empty())
    sink_.not_checked({.what = "message races",
                       .reason = "recording what happened before what takes too much memory",
                       .count = doors_.size()});
  later_.clear();
  doors_.clear();
}

}  // namespace vouch
