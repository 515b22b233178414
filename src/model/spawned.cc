// Worlds that were spawned: who belongs to one, which numbers they have, who their parents are.
//
// MPI does not say which world a process belongs to; its launcher does (LaunchNames). A spawned
// process has told its names before it is let into MPI_Init, and the call that spawns it does not
// return before. So a world's numbers and its parents are known before a record of it, or of that
// call's end, is read: nothing depends on who is read first.

#include <algorithm>

#include "model/effect.h"

namespace vouch {
namespace {

// What the launcher says is not trusted to be small.
constexpr int kMostProcesses = 1 << 24;

// The one call of this process that spawns and of which it is the root; nullptr: none, or several.
const Call* spawning(const Process& process) {
  const Call* found = nullptr;
  for (const Thread& t : process.threads) {
    for (int i = 0; i < t.depth; ++i) {
      const Call& call = t.calls[static_cast<std::size_t>(i)];
      if (!is_spawn(call.proc())) continue;
      const Event enter = call.enter();
      const Communicator* comm = process.comms.find(enter.handle(call.info().param(Arg::comm)));
      if (comm == nullptr || comm->rank != enter.value(call.info().param(Arg::root))) continue;
      if (found != nullptr) return nullptr;
      found = &call;
    }
  }
  return found;
}

}  // namespace

bool is_spawn(Proc proc) { return proc == Proc::comm_spawn || proc == Proc::comm_spawn_multiple; }

std::uint64_t between(const SpawnedWorld& world) { return mix(0x737061776eu, world.name); }

bool World::name(Process& process, const LaunchNames& names) {
  process.launch = names;
  if (process.index == 0) home_ = names.world;
  if (names.world == home_) {
    told_size_ = std::max(told_size_, names.size);
    return false;
  }
  if (names.world == 0 || names.size <= 0 || names.size > kMostProcesses || names.rank < 0 ||
      names.rank >= names.size || several())
    return false;
  const bool is_new = world_of(process) == nullptr;
  if (is_new) {
    const int first = spawned_.empty() ? std::max(size_, told_size_)
                                       : spawned_.back().first + spawned_.back().size;
    if (first == 0 || first > kMostProcesses) return false;
    spawned_.push_back({names.world, first, names.size, {}, nullptr, nullptr});
  }
  process.rank = WorldRank{world_of(process)->first + names.rank};
  return is_new;
}

const SpawnedWorld* World::world_of(const Process& process) const {
  const auto found = std::find_if(spawned_.begin(), spawned_.end(), [&](const SpawnedWorld& w) {
    return w.name == process.launch.world;
  });
  return found == spawned_.end() ? nullptr : &*found;
}

void World::find_parents(const Process& child) {
  const auto parent = std::find_if(processes_.begin(), processes_.end(), [&](const auto& p) {
    return p->launch.process != 0 && p->launch.process == child.launch.parent;
  });
  if (parent == processes_.end() || (*parent)->stranger()) return;
  const Call* call = spawning(**parent);
  if (call == nullptr) return;
  const Communicator* comm =
      (*parent)->comms.find(call->enter().handle(call->info().param(Arg::comm)));
  if (comm->members == nullptr || comm->leads_outside()) return;
  SpawnedWorld& world = *std::find_if(spawned_.begin(), spawned_.end(),
                                      [&](const auto& w) { return w.name == child.launch.world; });
  world.spawned = call->site();
  world.parents = comm->members;
  world.members = intern({.runs = {{world.first, 1, world.size}}, .size = world.size});
  // As all members of the communicator will call it (comm_effect.cc).
  const std::uint64_t step = mix(std::uint64_t{comm->constructors} + 1, 0);
  join_halves(derive(comm->id, step), between(world));
}

int World::all() const {
  int sum = size_;
  for (const SpawnedWorld& w : spawned_) sum += w.size;
  return sum;
}

// Its own MPI says its rank in its world.
void World::number_on(Process& process) const {
  process.first = 0;
  const SpawnedWorld* world = process.spawned && !several() ? world_of(process) : nullptr;
  if (world == nullptr || world->size != process.world_size || world->first < size_ ||
      process.rank.value < 0 || process.rank.value >= world->size)
    return;
  process.first = world->first;
  process.rank.value += world->first;
}

}  // namespace vouch
