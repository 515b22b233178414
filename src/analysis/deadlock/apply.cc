// Actions, applied to the engine.

#include <algorithm>

#include "analysis/deadlock/feed.h"
#include "model/effect.h"

namespace vouch {
namespace {

// Actions of a process that wait for an identity.
constexpr std::size_t kWaiting = 1 << 17;

constexpr std::uint64_t kOwnPartitions = 0x70617274, kOwnRequests = 0x67726571;

}  // namespace

void WaitFeed::simple(Local& mine, Action::What what, std::uint64_t key) {
  if (key == 0) return;
  if (mine.waiting.empty()) return finish(mine, what, key);
  Action a;
  a.what = what;
  a.key = key;
  perform(mine, a);
}

void WaitFeed::resolve(Local& mine, std::uint64_t key, const wire::Status& status) {
  if (key == 0 || !status.names_message()) return;
  if (mine.waiting.empty()) return took(mine, key, status.source, status.tag);
  Action a;
  a.what = Action::What::resolve;
  a.key = key;
  a.recv = {true, status.source, status.tag, 0};
  perform(mine, a);
}

void WaitFeed::perform(Local& mine, const Action& action, std::span<const std::uint64_t> parts) {
  if (action.comm.inter) {
    Sides& sides = sides_[world_.inter_id(action.comm.id)];
    const bool knew = sides.both();
    sides.add(action.comm.members);
    const std::uint32_t strand = mine.strand;
    if (!knew && sides.both()) go_on();
    mine.strand = strand;
  }
  if (mine.waiting.empty() && can_apply(action)) return apply(mine, action, parts);
  if (mine.waiting.size() >= kWaiting) return give_up(mine);
  mine.waiting.push_back({action, mine.strand, {parts.begin(), parts.end()}});
  ++waiting_;
}

bool WaitFeed::can_apply(const Action& a) {
  if (a.comm.members == nullptr) return true;
  const std::uint64_t whole = world_.inter_id(a.comm.id);
  // Who sees the joined identity would never meet those who came before.
  if (world_.awaits(whole)) return false;
  if (a.what == Action::What::both_groups) [[unlikely]]
    return groups_known(a);
  if (!a.comm.inter) return true;
  const auto found = sides_.find(whole);
  return found != sides_.end() && found->second.both();
}

void WaitFeed::give_up(Local& mine) {
  mine.ignored = true;
  mine.plain = false;
  ++ignored_;
  given_up_.insert(mine.rank);
  waiting_ -= mine.waiting.size();
  mine.waiting.clear();
  node_.ignore(mine.rank);
}

void WaitFeed::go_on() {
  locals_.for_each([&](std::size_t, Local& mine) {
    while (!mine.waiting.empty() && can_apply(mine.waiting.front().action)) {
      mine.strand = mine.waiting.front().strand;
      apply(mine, mine.waiting.front().action, mine.waiting.front().parts);
      mine.waiting.pop_front();
      --waiting_;
    }
  });
}

void WaitFeed::flush() {
  locals_.for_each([&](std::size_t i, Local& its) {
    // What it sent is not known: nobody may be told to wait for it in vain.
    if (world_.process(i).lossy && its.rank >= 0 && !its.ignored) give_up(its);
  });
  if (waiting_ == 0 && named_.empty()) return;
  learn_halves();
  // Sides that used it, perhaps freed it since, when they knew only a half of its identity.
  std::vector<std::pair<std::uint64_t, Sides>> halves;
  for (const auto& [id, sides] : sides_) {
    if (world_.inter_id(id) != id) halves.emplace_back(id, sides);
  }
  for (const auto& [id, sides] : halves) {
    sides_.erase(id);
    Sides& whole = sides_[world_.inter_id(id)];
    for (const Members* group : sides.group) {
      if (group != nullptr) whole.add(group);
    }
  }
  // Sides that have not used it yet.
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    world_.process(i).comms.for_each([&](const Communicator& c) {
      if (!c.inter() || c.members == nullptr || c.id == 0) return;
      sides_[world_.inter_id(c.id)].add(c.members);
    });
  }
  go_on();
}

wait::CommId WaitFeed::define(Local& mine, const CommRef& comm, std::uint64_t salt) {
  auto& latest = mine.latest;
  if (latest.members == comm.members && latest.id == comm.id && latest.salt == salt)
    return latest.known;
  const std::uint64_t whole = world_.inter_id(comm.id);
  const wait::CommId id = identity(whole, comm.inter, *comm.members, salt);
  latest = {comm.members, comm.id, salt, id};
  if (node_.groups().contains(id)) return id;
  if (salt == 0) names_[id] = {comm.constant, comm.made};
  const Members* others = nullptr;
  const Members* members = comm.members;
  if (comm.inter) {
    const Sides& sides = sides_[whole];
    members = sides.group[0];
    others = sides.group[1];
  }
  node_.define(id, shared_group(members, others));
  return id;
}

wait::GroupRef WaitFeed::shared_group(const Members* members, const Members* others) {
  wait::GroupRef& known = groups_[{members, others}];
  if (known != nullptr) return known;
  const auto list = [](const Members& of) {
    wait::RankList ranks;
    for (const RankRun& run : of.runs) ranks.add({run.first, run.stride, run.length});
    return ranks;
  };
  auto group = std::make_shared<wait::Group>();
  group->members = list(*members);
  if (others != nullptr) group->others = list(*others);
  return known = std::move(group);
}

wait::Rank WaitFeed::world_rank(const CommRef& comm, std::int64_t peer) const {
  if (peer == wire::kAnySource) return wait::kAnyRank;
  if (!comm.inter) return world_rank(*comm.members, peer);
  const auto found = sides_.find(world_.inter_id(comm.id));
  if (found == sides_.end()) return kNobody;
  const Sides& sides = found->second;
  return world_rank(sides.group[0] == comm.members ? *sides.group[1] : *sides.group[0], peer);
}

void WaitFeed::apply_message(Local& mine, const Action& a) {
  const wait::Rank me = mine.rank;
  const wait::Caller caller{me, mine.strand};
  const wait::CommId comm = define(mine, a.comm, a.salt);
  const wait::Rank to = a.send.there ? world_rank(a.comm, a.send.peer) : kNobody;
  const wait::Rank from = a.recv.there ? world_rank(a.comm, a.recv.peer) : kNobody;
  const bool sends = to >= 0, receives = from >= wait::kAnyRank;
  if (!sends && !receives) return;
  const bool both = a.blocks && sends && receives;
  Entry made;
  if (sends) {
    made.send =
        node_.send(caller, {.label = a.label,
                            .envelope = {comm, me, to, static_cast<std::int32_t>(a.send.tag)},
                            .blocks = a.blocks && !both,
                            .standard = a.standard,
                            .synchronous = a.synchronous,
                            .bytes = a.send.bytes});
  }
  if (receives) {
    const wait::Envelope envelope{comm, from, me, wait_tag(a.recv.tag)};
    made.asks = from == wait::kAnyRank || envelope.tag == wait::kAnyTag;
    made.recv = a.what == Action::What::probe ? node_.probe(caller, a.label, envelope)
                : a.claims                    ? node_.claim(caller, a.label, envelope, a.blocks)
                           : node_.recv(caller, a.label, envelope, a.blocks && !both);
  }
  if (a.imposed && made.recv != kNone) node_.impose(me, made.recv);
  if (both) {
    const wait::Index parts[] = {made.send, made.recv};
    made.own = node_.completion(caller, a.label, parts, true);
  }
  if (a.buffered && made.send != kNone) {
    // Those that are received need not be kept.
    std::deque<wait::Index>& list = mine.buffered;
    while (!list.empty() && !node_.pending(me, list.front())) list.pop_front();
    list.push_back(made.send);
  }
  made.claims = a.claims;
  if (!a.held && !a.blocks) {
    if (made.send != kNone) node_.release(me, made.send);
    if (made.recv != kNone) node_.release(me, made.recv);
    made.send = kNone;
    if (made.recv == kNone) return;  // nobody asks for it any more
  }
  mine.entries.put(a.key, made, a.blocks && !a.claims);
}

void WaitFeed::apply_received(Local& mine, const Action& a) {
  const Entry* entry = mine.entries.find(a.key);
  if (entry == nullptr || !entry->claims) return;
  node_.receipt({mine.rank, mine.strand}, a.label, entry->recv);
  mine.entries.erase(a.key);
}

// Where a process tells itself that partitions are ready, or that a generalized request is
// complete.
wait::CommId WaitFeed::own_comm(const Local& mine, const Action& a) {
  const bool partitions = a.what == Action::What::partitions || a.what == Action::What::ready;
  const wait::CommId id =
      mix(partitions ? kOwnPartitions : kOwnRequests, static_cast<std::uint64_t>(mine.rank));
  if (node_.groups().contains(id)) return id;
  auto group = std::make_shared<wait::Group>();
  group->members = {mine.rank};
  node_.define(id, std::move(group));
  return id;
}

wait::Envelope WaitFeed::own_envelope(const Local& mine, const Action& a) {
  return {own_comm(mine, a), mine.rank, mine.rank, static_cast<std::int32_t>(a.wave & 0x7fffffff)};
}

void WaitFeed::apply_own(Local& mine, const Action& a) {
  Entry made;
  made.recv = node_.recv({mine.rank, mine.strand}, a.label, own_envelope(mine, a), false);
  mine.entries.put(a.key, made, false);
}

void WaitFeed::apply_ready(Local& mine, const Action& a) {
  const Entry* started = mine.entries.find(a.key);
  if (started == nullptr) return;
  const wait::Index marks = started->recv;
  const wait::Index mark = node_.send({mine.rank, mine.strand}, {.label = a.label,
                                                                 .envelope = own_envelope(mine, a),
                                                                 .blocks = false,
                                                                 .standard = false,
                                                                 .synchronous = false});
  node_.release(mine.rank, mark);
  if (a.what == Action::What::generalized_done) return;
  apply_message(mine, a);
  if (Entry* both = mine.entries.find(a.key)) both->recv = marks;
}

void WaitFeed::apply_completion(Local& mine, const Action& a,
                                std::span<const std::uint64_t> parts) {
  parts_.clear();
  bool unknown = false;
  for (const std::uint64_t key : parts) {
    const Entry* part = mine.entries.find(key);
    unknown = unknown || part == nullptr;
    if (part == nullptr) continue;
    for (const wait::Index i : {part->send, part->recv, part->own}) {
      if (i != kNone) parts_.push_back(i);
    }
  }
  // To MPI_PROC_NULL, or not followed: as good as complete.
  if (parts_.empty() || (unknown && !a.all)) {
    if (a.what != Action::What::polls) return;
    mine.polling = true;
    return node_.polls_unknown(mine.rank);
  }
  if (a.what == Action::What::polls) {
    mine.polling = true;
    return node_.polls(mine.rank, a.label, parts_, a.all);
  }
  Entry made;
  if (const Entry* asked = mine.entries.find(a.key)) made = *asked;
  // What a schedule makes it wait for comes behind what the call itself waits for.
  (a.imposed ? made.send : made.own) =
      node_.completion({mine.rank, mine.strand}, a.label, parts_, a.all);
  if (a.imposed) node_.impose(mine.rank, made.send);
  mine.entries.put(a.key, made, true);
}

void WaitFeed::finish(Local& mine, Action::What what, std::uint64_t key) {
  using What = Action::What;
  Entry* entry = mine.entries.find(key);
  if (entry == nullptr) return;
  const wait::Rank me = mine.rank;
  if (what == What::returned && entry->claims) return node_.returned(me, entry->recv);
  for (const wait::Index i : {entry->send, entry->recv, entry->own}) {
    if (i == kNone) continue;
    // Of MPI_Sendrecv the wait has returned, of others the operation itself.
    if (what == What::returned) {
      node_.over(me, i);
      continue;
    }
    if (what == What::withdraw) node_.withdraw(me, i);
    if (what == What::excuse) node_.excuse(me, i);
    if (what != What::excuse) node_.release(me, i);
  }
  if (what != What::excuse) mine.entries.erase(key);
}

void WaitFeed::took(Local& mine, std::uint64_t key, std::int64_t source, std::int64_t tag) {
  const Entry* entry = mine.entries.find(key);
  if (entry != nullptr && entry->asks)
    node_.resolve_number(mine.rank, entry->recv, source, static_cast<std::int32_t>(tag));
}

void WaitFeed::apply(Local& mine, const Action& a, std::span<const std::uint64_t> parts) {
  using What = Action::What;
  const wait::Rank me = mine.rank;
  switch (a.what) {
    case What::message:
    case What::probe:
      if (a.comm.members != nullptr) apply_message(mine, a);
      return;
    case What::collective: {
      if (a.comm.members == nullptr) return;
      const wait::CommId comm = define(mine, a.comm, a.salt);
      Entry made;
      made.own = node_.collective({me, mine.strand}, a.label, comm, a.wave, a.blocks, a.loose);
      mine.entries.put(a.key, made, a.blocks);
      return;
    }
    case What::both_groups:
      return apply_both_groups(mine, a);
    case What::completion:
    case What::polls:
      return apply_completion(mine, a, parts);
    case What::polls_message: {
      const wait::Rank from = a.comm.members != nullptr ? world_rank(a.comm, a.recv.peer) : kNobody;
      mine.polling = true;
      if (!a.recv.there || from < wait::kAnyRank) return node_.polls_unknown(me);
      return node_.polls(me, a.label,
                         {define(mine, a.comm, a.salt), from, me, wait_tag(a.recv.tag)});
    }
    case What::detach:
      return apply_detach(mine, a);
    case What::partitions:
      if (a.comm.members != nullptr) apply_own(mine, a);
      return;
    case What::generalized:
      return apply_own(mine, a);
    case What::ready:
    case What::generalized_done:
      return apply_ready(mine, a);
    case What::received:
      return apply_received(mine, a);
    case What::finalize:
      node_.finalize({me, mine.strand}, a.label);
      return;
    case What::resolve:
      return took(mine, a.key, a.recv.peer, a.recv.tag);
    case What::decide:
      if (const Entry* entry = mine.entries.find(a.key);
          entry != nullptr && entry->recv != kNone && a.comm.members != nullptr)
        node_.decide(me, entry->recv, world_rank(a.comm, a.recv.peer), wait_tag(a.recv.tag));
      return;
    case What::returned:
    case What::release:
    case What::withdraw:
    case What::excuse:
      return finish(mine, a.what, a.key);
  }
}

}  // namespace vouch
