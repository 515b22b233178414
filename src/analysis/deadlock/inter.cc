// Constructors whose callers are known by the groups that they name.
//
// MPI_Comm_create_group and MPI_Comm_create_from_group are collectives of their group and tag.
//
// MPI_Intercomm_create and MPI_Intercomm_create_from_groups are collective over two groups
// (MPI-4.1 7.6.2), of which only the leaders know more than their own. Before a member may count on
// coming back,
// - the leaders have met, on the peer communicator or by their groups;
// - its own group has come, its leader after that meeting;
// - both groups have come. Who they are is known once the calls of both leaders have been seen;
//   until then this part waits (feed.h), while the parts before it are followed.
//
// Misses: the third part where the processes are on several nodes, or where the peer communicator
// is an inter-communicator.

#include <algorithm>
#include <functional>
#include <string_view>

#include "analysis/deadlock/feed.h"
#include "model/effect.h"

namespace vouch {
namespace {

constexpr std::uint64_t kLeaders = 1, kGroups = 5, kFromGroups = 6, kBothGroups = 7;  // salts

std::uint64_t tag_of(const Call& call) {
  const int text = call.info().param(Arg::stringtag);
  if (text < 0) return static_cast<std::uint64_t>(call.enter().value(call.info().param(Arg::tag)));
  return std::hash<std::string_view>{}(call.enter().array(text).text());
}

bool followed(const Members* members, const Process& process) {
  return members != nullptr && members->all_known() && !members->unseen &&
         members->rank_of(process.rank).value >= 0;
}

}  // namespace

// What a call says of its two groups.
struct WaitFeed::Creation {
  Action own;              // the collective of the caller's group
  wait::Rank leader = -1;  // of that group
  bool leads = false;      // the caller does, and the following is known
  std::uint64_t peer = 0;  // identity of the peer communicator, or what stands for it
  std::uint64_t step = 0;  // which creation over it
  wait::Rank other_leader = -1;
};

void WaitFeed::enter_group(Process& process, Call& call, Local& mine) {
  const Event enter = call.enter();
  const Group* group = process.groups.find(enter.handle(call.info().at.group));
  if (group == nullptr || !followed(group->members, process)) return;
  const std::uint64_t tag = tag_of(call);
  Action a;
  a.what = Action::What::collective;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  if (call.proc() == Proc::comm_create_group) {
    a.comm = comm_of(process, enter.handle(call.info().at.object));
    if (a.comm.members == nullptr || a.comm.inter) return;
    a.salt = mix(kGroups, tag);
  } else {
    a.comm.id = a.salt = mix(kFromGroups, tag);
  }
  a.comm.members = group->members;
  a.wave = mine.group_waves[mix(mix(a.comm.id, group->members->hash), a.salt)]++;
  a.blocks = !call.poisoned;
  perform(mine, a);
}

// MPI_Intercomm_create: false if it cannot be followed.
bool WaitFeed::create_over_peer(Process& process, const Call& call, Local& mine, Creation& made) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  Order* o = order(process, call, mine);
  if (o == nullptr) return false;
  made.own.comm = o->comm;
  made.own.salt = o->salt;
  made.own.wave = o->next++;
  const std::int64_t leader = enter.value(about.param(Arg::local_leader));
  const int me = o->comm.members->rank_of(process.rank).value;
  made.leader = o->comm.members->world(CommRank{static_cast<int>(leader)}).value;
  if (leader != me || call.poisoned) return true;
  // The leaders exchange a message.
  Action a;
  a.label = made.own.label;
  a.key = made.own.key | kLeadersPart;
  a.comm = comm_of(process, enter.handle(about.param(Arg::peer_comm)));
  Transfer side;
  side.name(enter.value(about.param(Arg::remote_leader)), enter.value(about.param(Arg::tag)));
  a.send = a.recv = target(side);
  a.salt = kLeaders;
  a.standard = false;
  perform(mine, a);
  const Communicator* peer = process.comms.find(enter.handle(about.param(Arg::peer_comm)));
  if (a.comm.members == nullptr || a.comm.inter || peer == nullptr || !a.send.there) return true;
  made.leads = true;
  made.other_leader = world_rank(a.comm, a.send.peer);
  const auto [low, high] = std::minmax(process.rank.value, made.other_leader);
  const std::uint64_t pair =
      mix(mix(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)),
          static_cast<std::uint64_t>(a.send.tag));
  made.peer = a.comm.id;
  made.step = mix(
      pair,
      mine.group_waves[mix(kLeaders, mix(peer->generation,
                                         mix(enter.handle(about.param(Arg::peer_comm)), pair)))]++);
  return true;
}

// MPI_Intercomm_create_from_groups: the leaders meet by their groups and the tag.
bool WaitFeed::create_from_groups(const Process& process, const Call& call, Local& mine,
                                  Creation& made) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const Group* local = process.groups.find(enter.handle(about.param(Arg::local_group)));
  if (local == nullptr || !followed(local->members, process)) return false;
  const std::uint64_t tag = mix(kFromGroups, tag_of(call));
  made.own.comm.id = made.own.salt = tag;
  made.own.comm.members = local->members;
  made.own.wave = mine.group_waves[mix(mix(kBothGroups, local->members->hash), tag)]++;
  const std::int64_t leader = enter.value(about.param(Arg::local_leader));
  made.leader = local->members->world(CommRank{static_cast<int>(leader)}).value;
  if (made.leader != process.rank.value || call.poisoned) return true;
  const Group* remote = process.groups.find(enter.handle(about.param(Arg::remote_group)));
  if (remote == nullptr || remote->members == nullptr || !remote->members->all_known() ||
      remote->members->unseen)
    return true;
  const std::int64_t named = enter.value(about.param(Arg::remote_leader));
  made.other_leader = remote->members->world(CommRank{static_cast<int>(named)}).value;
  if (made.other_leader < 0 || made.other_leader == made.leader) return true;
  const auto [low, high] = std::minmax(made.leader, made.other_leader);
  Action a;
  a.what = Action::What::collective;
  a.label = made.own.label;
  a.key = made.own.key | kLeadersPart;
  a.comm.id = tag;
  a.comm.members = world_.intern(Members::of({low, high}));
  a.salt = kLeaders;
  a.wave = mine.group_waves[mix(mix(kLeaders, a.comm.members->hash), tag)]++;
  perform(mine, a);
  made.leads = true;
  made.peer = tag;
  made.step = mix(a.comm.members->hash, a.wave);
  return true;
}

void WaitFeed::enter_two_groups(Process& process, Call& call, Local& mine) {
  Creation made;
  made.own.what = Action::What::collective;
  made.own.label = label_of(call);
  made.own.key = call_key(call.seq());
  made.own.blocks = !call.poisoned;
  const bool known = call.proc() == Proc::intercomm_create
                         ? create_over_peer(process, call, mine, made)
                         : create_from_groups(process, call, mine, made);
  if (!known) return;
  perform(mine, made.own);
  Action both = made.own;
  both.what = Action::What::both_groups;
  both.key |= kBothPart;
  both.leader = made.leader;
  if (made.leader == mine.rank) {
    named_.push_back({both, made.leads ? made.peer : 0, made.step, made.other_leader});
    learn_halves();
  }
  perform(mine, both);
  const std::uint32_t strand = mine.strand;
  if (made.leader == mine.rank) go_on();
  mine.strand = strand;
}

// What a group knows of the creation by itself.
std::uint64_t WaitFeed::half_of(const Action& a) const {
  return mix(mix(mix(world_.inter_id(a.comm.id), a.comm.members->hash), a.salt), a.wave);
}

bool WaitFeed::unfollowed(wait::Rank rank) const {
  return !world_.here(WorldRank{rank}) || given_up_.contains(rank);
}

// What leaders have named, where the identities are known by now.
void WaitFeed::learn_halves() {
  std::erase_if(named_, [&](const Named& n) {
    const std::uint64_t peer = world_.inter_id(n.peer);
    if (world_.awaits(world_.inter_id(n.action.comm.id)) || world_.awaits(peer)) return false;
    Half& half = halves_[half_of(n.action)];
    if (n.peer == 0) return true;
    half.creation = mix(mix(peer, n.step), kBothGroups);
    half.other_leader = n.other_leader;
    creations_[half.creation].sides.add(n.action.comm.members);
    return true;
  });
}

bool WaitFeed::groups_known(const Action& a) const {
  const auto half = halves_.find(half_of(a));
  if (half == halves_.end()) return unfollowed(a.leader);
  if (half->second.creation == 0 || unfollowed(half->second.other_leader)) return true;
  const auto creation = creations_.find(half->second.creation);
  return creation == creations_.end() || creation->second.sides.both();
}

void WaitFeed::apply_both_groups(Local& mine, const Action& a) {
  const auto at = halves_.find(half_of(a));
  if (at == halves_.end()) return;
  const Half half = at->second;
  if (++at->second.passed == a.comm.members->size) halves_.erase(at);
  const auto creation = creations_.find(half.creation);
  if (half.creation == 0 || creation == creations_.end()) return;
  const Sides sides = creation->second.sides;
  const auto total = [&] {
    return sides.group[0]->size + (sides.both() ? sides.group[1]->size : 0);
  };
  if (++creation->second.passed == total()) creations_.erase(creation);
  if (!sides.both() || sides.group[0]->away || sides.group[1]->away) return;
  if (!node_.groups().contains(half.creation)) {
    // A rank of both has a finding (collective/constructor).
    for (std::size_t i = 0; i < world_.processes(); ++i) {
      const WorldRank rank = world_.process(i).rank;
      if (sides.group[0]->rank_of(rank).value >= 0 && sides.group[1]->rank_of(rank).value >= 0)
        return;
    }
    node_.define(half.creation, shared_group(sides.group[0], sides.group[1]));
  }
  Entry made;
  made.own = node_.collective({mine.rank, mine.strand}, a.label, half.creation, 0, a.blocks, true);
  mine.entries.put(a.key, made, a.blocks);
}

}  // namespace vouch
