// Actions, applied to the engine.

#include <algorithm>

#include "analysis/deadlock/feed.h"
#include "model/effect.h"

namespace vouch {

void WaitFeed::simple(Local& mine, Action::What what, std::uint64_t key) {
  if (key == 0) return;
  Action a;
  a.what = what;
  a.key = key;
  act(mine, std::move(a));
}

void WaitFeed::act(Local& mine, Action action) {
  if (mine.waiting.empty() && can_apply(action)) return apply(mine, action);
  mine.waiting.push_back(std::move(action));
  ++waiting_;
}

bool WaitFeed::can_apply(const Action& a) {
  if (!a.comm.inter) return true;
  const auto found = sides_.find(world_.inter_id(a.comm.id));
  return found != sides_.end() && found->second.group[1] != nullptr;
}

void WaitFeed::flush() {
  if (waiting_ == 0) return;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    world_.process(i).comms.for_each([&](const Communicator& c) {
      if (!c.inter() || c.members == nullptr || c.id == 0) return;
      Sides& sides = sides_[world_.inter_id(c.id)];
      if (sides.group[0] == nullptr) sides.group[0] = c.members;
      if (sides.group[0] != c.members) sides.group[1] = c.members;
    });
  }
  for (Local& mine : locals_) {
    while (!mine.waiting.empty() && can_apply(mine.waiting.front())) {
      apply(mine, mine.waiting.front());
      mine.waiting.pop_front();
      --waiting_;
    }
  }
}

wait::CommId WaitFeed::define(const CommRef& comm, std::uint64_t salt) {
  const std::uint64_t whole = comm.inter ? world_.inter_id(comm.id) : comm.id;
  // Communicators that one call made may have one identity; their members tell them apart.
  const wait::CommId id =
      mix(mix(whole, comm.inter ? 0 : reinterpret_cast<std::uintptr_t>(comm.members)), salt);
  if (node_.groups().contains(id)) return id;
  auto group = std::make_shared<wait::Group>();
  group->members = comm.members->list();
  if (comm.inter) {
    const Sides& sides = sides_[whole];
    group->members = sides.group[0]->list();
    group->others = sides.group[1]->list();
  }
  node_.define(id, std::move(group));
  return id;
}

// -1: nobody we know.
wait::Rank WaitFeed::world_rank(const CommRef& comm, std::int64_t peer) const {
  if (peer == wire::kAnySource) return wait::kAnyRank;
  const Members* group = comm.members;
  if (comm.inter) {
    const auto found = sides_.find(world_.inter_id(comm.id));
    if (found == sides_.end()) return -2;
    const Sides& sides = found->second;
    group = sides.group[0] == comm.members ? sides.group[1] : sides.group[0];
  }
  const int rank = group->world(CommRank{static_cast<int>(peer)}).value;
  return rank < 0 ? -2 : rank;
}

void WaitFeed::apply(Local& mine, const Action& a) {
  using What = Action::What;
  const wait::Rank me = mine.rank;
  Entry* entry = a.key != 0 ? mine.entries.find(a.key) : nullptr;
  switch (a.what) {
    case What::message:
    case What::probe: {
      if (a.comm.members == nullptr) return;
      const wait::CommId comm = define(a.comm, a.salt);
      const wait::Rank to = a.send.there ? world_rank(a.comm, a.send.peer) : -2;
      const wait::Rank from = a.recv.there ? world_rank(a.comm, a.recv.peer) : -2;
      const bool sends = to >= 0, receives = from >= wait::kAnyRank;
      if (!sends && !receives) return;
      const bool both = a.blocks && sends && receives;
      Entry made;
      if (sends) {
        made.send =
            node_.send(me, {.label = a.label,
                            .envelope = {comm, me, to, static_cast<std::int32_t>(a.send.tag)},
                            .blocks = a.blocks && !both,
                            .standard = a.standard,
                            .synchronous = a.synchronous,
                            .bytes = a.send.bytes});
      }
      if (receives) {
        const auto tag =
            a.recv.tag == wire::kAnyTag ? wait::kAnyTag : static_cast<std::int32_t>(a.recv.tag);
        const wait::Envelope envelope{comm, from, me, tag};
        made.recv = a.what == What::probe ? node_.probe(me, a.label, envelope)
                                          : node_.recv(me, a.label, envelope, a.blocks && !both);
      }
      if (both) {
        const wait::Index parts[] = {made.send, made.recv};
        made.own = node_.completion(me, a.label, parts, true);
      }
      if (!a.held && !a.blocks) {
        if (made.send != kNone) node_.release(me, made.send);
        if (made.recv != kNone) node_.release(me, made.recv);
        made.send = kNone;
      }
      mine.entries[a.key] = made;
      return;
    }
    case What::collective: {
      if (a.comm.members == nullptr) return;
      const wait::CommId comm = define(a.comm, a.salt);
      Entry made;
      made.own = node_.collective(me, a.label, comm, a.wave, a.blocks, a.loose);
      mine.entries[a.key] = made;
      return;
    }
    case What::completion:
    case What::polls: {
      parts_.clear();
      bool unknown = false;
      for (const std::uint64_t key : a.parts) {
        const Entry* part = mine.entries.find(key);
        unknown = unknown || part == nullptr;
        if (part == nullptr) continue;
        for (const wait::Index i : {part->send, part->recv, part->own}) {
          if (i != kNone) parts_.push_back(i);
        }
      }
      // To MPI_PROC_NULL, or not followed: as good as complete.
      if (parts_.empty() || (unknown && !a.all)) return;
      if (a.what == What::polls) {
        mine.polling = true;
        return node_.polls(me, a.label, parts_, a.all);
      }
      Entry made;
      made.own = node_.completion(me, a.label, parts_, a.all);
      mine.entries[a.key] = made;
      return;
    }
    case What::polls_message: {
      const wait::Rank from = a.comm.members != nullptr ? world_rank(a.comm, a.recv.peer) : -2;
      if (!a.recv.there || from < wait::kAnyRank) return;
      const auto tag =
          a.recv.tag == wire::kAnyTag ? wait::kAnyTag : static_cast<std::int32_t>(a.recv.tag);
      mine.polling = true;
      return node_.polls(me, a.label, {define(a.comm, a.salt), from, me, tag});
    }
    case What::finalize:
      node_.finalize(me, a.label);
      return;
    case What::resolve:
      if (entry == nullptr || entry->recv == kNone || a.comm.members == nullptr) return;
      node_.resolve(me, entry->recv, world_rank(a.comm, a.recv.peer),
                    static_cast<std::int32_t>(a.recv.tag));
      return;
    case What::decide:
      if (entry == nullptr || entry->recv == kNone || a.comm.members == nullptr) return;
      node_.decide(
          me, entry->recv, world_rank(a.comm, a.recv.peer),
          a.recv.tag == wire::kAnyTag ? wait::kAnyTag : static_cast<std::int32_t>(a.recv.tag));
      return;
    case What::returned:
      if (entry == nullptr) return;
      // Of MPI_Sendrecv the wait has returned, of others the operation itself.
      for (const wait::Index i : {entry->send, entry->recv, entry->own}) {
        if (i != kNone) node_.returned(me, i);
      }
      [[fallthrough]];
    case What::release:
      if (entry == nullptr) return;
      for (const wait::Index i : {entry->send, entry->recv, entry->own}) {
        if (i != kNone) node_.release(me, i);
      }
      mine.entries.erase(a.key);
      return;
    case What::withdraw:
      if (entry == nullptr) return;
      for (const wait::Index i : {entry->send, entry->recv, entry->own}) {
        if (i == kNone) continue;
        node_.withdraw(me, i);
        node_.release(me, i);
      }
      mine.entries.erase(a.key);
      return;
    case What::excuse:
      if (entry == nullptr) return;
      for (const wait::Index i : {entry->send, entry->recv, entry->own}) {
        if (i != kNone) node_.excuse(me, i);
      }
      return;
  }
}

}  // namespace vouch
