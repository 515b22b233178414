// Calls that wait, other than messages, collectives and completions.
//
// MPI_Buffer_detach waits until the buffered messages are gone, at the latest when they are
// received (MPI-4.1 3.6). Post, start, complete and wait of a window are messages: a start, or the
// complete after it, waits for the posts of its targets, a wait for the completes of its origins
// (MPI-4.1 12.5.2).
//
// Who holds a lock nobody tells: a library may get it at MPI_Win_lock or when it is first needed
// (MPI-4.1 12.5.3). Who has been inside a call that may need one for a while waits for those whose
// lock epochs on that target exclude it, or for one of them. Only what really hangs is found. Who
// is inside a call for that very lock, too, is not waited for: one of the two has it and goes on.
//
// Misses: buffered messages in MPI_Buffer_detach once one of them was cancelled, locks over several
// nodes.

#include <algorithm>

#include "analysis/deadlock/feed.h"
#include "model/effect.h"

namespace vouch {
namespace {

constexpr std::uint64_t kEpochs = 4;  // salt
constexpr std::int64_t kPosted = 0, kCompleted = 1;
constexpr std::size_t kMostParts = 0xfff0;  // keys of a call

}  // namespace

void WaitFeed::ask(Local& mine, const Call& call, std::span<const std::uint64_t> keys) {
  Action a;
  a.what = Action::What::polls;
  a.label = label_of(call);
  perform(mine, a, keys);
}

void WaitFeed::wait_for(Local& mine, const Call& call, const std::vector<std::uint64_t>& keys) {
  if (keys.empty()) return;
  Action a;
  a.what = Action::What::completion;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  perform(mine, a, keys);
}

// MPI_Buffer_detach -------------------------------------------------------------------
// Nobody but MPI_Buffer_detach waits for it, least of all its request.
void WaitFeed::buffer(Action& a) {
  a.blocks = a.held = false;
  a.synchronous = a.buffered = true;
}

void WaitFeed::apply_detach(Local& mine, const Action& a) {
  parts_.clear();
  // Misses: where so many are received and later ones are not.
  constexpr std::size_t kWaitedFor = 4096;
  for (const wait::Index at : mine.buffered) {
    if (node_.pending(mine.rank, at)) parts_.push_back(at);
    if (parts_.size() == kWaitedFor) break;
  }
  mine.buffered.clear();
  if (parts_.empty()) return;
  // A library that has sent them all need not wait: a program may rely on that no more than on
  // anything else, but it is what they do.
  node_.tolerate(a.label);
  Entry made;
  made.own = node_.completion({mine.rank, mine.strand}, a.label, parts_, true);
  mine.entries.put(a.key, made, true);
}

// Dispatch ----------------------------------------------------------------------------
void WaitFeed::enter_other(Process& process, Call& call, Local& mine) {
  const CallRole role = call.info().role;
  if (role == CallRole::detach) {
    Action a;
    a.what = Action::What::detach;
    a.label = label_of(call);
    a.key = call_key(call.seq());
    return perform(mine, a);
  }
  if (is_lock_call(role)) return enter_lock(process, call, mine);
  const std::uint64_t window = call.enter().handle(call.info().at.object);
  const auto found = mine.windows.find(window);
  if (found == mine.windows.end() || found->second.comm.members == nullptr) return;
  // What others wait for is not known any more.
  if (call.poisoned) return give_up(mine);
  if (role == CallRole::win_post || role == CallRole::win_wait)
    return enter_exposure(process, call, found->second, mine);
  enter_access(process, call, found->second, mine);
}

void WaitFeed::leave_other(Call& call, const Event& leave, Local& mine) {
  const CallRole role = call.info().role;
  if (is_lock_call(role)) return leave_lock(call, leave, mine);
  const auto found = mine.syncs.find(call.enter().handle(call.info().at.object));
  if (found == mine.syncs.end()) return;
  if (leave.error_class() != 0) return give_up(mine);
  Local::Sync& sync = found->second;
  simple(mine, Action::What::returned, call_key(call.seq()));
  if (ActReader::asked_in_vain(call, leave)) return ask(mine, call, sync.exposure);
  if (role != CallRole::win_complete && role != CallRole::win_wait) return;
  std::vector<std::uint64_t>& keys = role == CallRole::win_complete ? sync.access : sync.exposure;
  for (const std::uint64_t key : keys) simple(mine, Action::What::release, key);
  keys.clear();
}

// Post, start, complete, wait ---------------------------------------------------------
// The ranks of a group in the window's communicator. False: they are not known.
bool WaitFeed::group_of(const Process& process, const Call& call, const Order& window,
                        std::vector<std::int64_t>& peers) {
  const Group* group = process.groups.find(call.enter().handle(call.info().at.group));
  if (group == nullptr || group->members == nullptr ||
      static_cast<std::size_t>(group->members->size) >= kMostParts)
    return false;
  for (const int rank : group->members->list()) {
    const int peer = window.comm.members->rank_of(WorldRank{rank}).value;
    if (peer < 0) return false;
    peers.push_back(peer);
  }
  return true;
}

void WaitFeed::enter_exposure(Process& process, Call& call, const Order& window, Local& mine) {
  Local::Sync& sync = mine.syncs[call.enter().handle(call.info().at.object)];
  if (call.proc() == Proc::win_wait) return wait_for(mine, call, sync.exposure);
  if (call.proc() != Proc::win_post) return;
  std::vector<std::int64_t> peers;
  if (!group_of(process, call, window, peers)) return give_up(mine);
  sync.exposure.clear();
  for (const std::int64_t peer : peers) {
    Action a;
    a.label = label_of(call);
    a.key = call_key(call.seq()) | (sync.exposure.size() + 1);
    a.comm = window.comm;
    a.salt = mix(window.salt, kEpochs);
    a.send = {true, peer, kPosted, 0};
    a.recv = {true, peer, kCompleted, 0};
    a.blocks = a.standard = a.synchronous = false;
    a.held = true;
    perform(mine, a);
    sync.exposure.push_back(a.key);
  }
}

void WaitFeed::enter_access(Process& process, Call& call, const Order& window, Local& mine) {
  Local::Sync& sync = mine.syncs[call.enter().handle(call.info().at.object)];
  Action a;
  a.label = label_of(call);
  a.comm = window.comm;
  a.salt = mix(window.salt, kEpochs);
  a.blocks = a.standard = a.synchronous = false;
  if (call.proc() == Proc::win_start) {
    sync.targets.clear();
    sync.access.clear();
    if (!group_of(process, call, window, sync.targets)) return give_up(mine);
    a.held = true;
    for (const std::int64_t target : sync.targets) {
      a.key = call_key(call.seq()) | (sync.access.size() + 1);
      a.recv = {true, target, kPosted, 0};
      perform(mine, a);
      sync.access.push_back(a.key);
    }
    return wait_for(mine, call, sync.access);
  }
  wait_for(mine, call, sync.access);
  std::uint64_t part = 0;
  for (const std::int64_t target : sync.targets) {
    a.key = call_key(call.seq()) | ++part;
    a.send = {true, target, kCompleted, 0};
    perform(mine, a);
  }
  sync.targets.clear();
}

// Locks -------------------------------------------------------------------------------
void WaitFeed::enter_lock(Process& process, Call& call, Local& mine) {
  const Event enter = call.enter();
  const std::uint64_t window = enter.handle(call.info().at.object);
  if (call.poisoned || !mine.windows.contains(window)) return;
  const int rank = call.info().first(Kind::rank, Dir::in);
  const std::int64_t target = rank < 0 ? kAllTargets : enter.value(rank);
  mine.locking = {call.seq(), label_of(call), window, target};
  Local::Sync& sync = mine.syncs[window];
  if (call.proc() == Proc::win_lock_all) sync.locks.push_back({kAllTargets, false, false});
  if (call.proc() == Proc::win_lock) {
    const Constant type = process.constant_of(
        Kind::lock_type,
        static_cast<std::uint64_t>(enter.value(call.info().first(Kind::lock_type, Dir::in))));
    sync.locks.push_back({target, type == Constant::lock_exclusive, false});
  }
}

void WaitFeed::leave_lock(Call& call, const Event& leave, Local& mine) {
  if (mine.locking.seq != call.seq()) return;
  const std::int64_t target = mine.locking.target;
  Local::Sync& sync = mine.syncs[mine.locking.window];
  mine.locking = {};
  const Proc proc = call.proc();
  if (leave.error_class() != 0) return sync.locks.clear();
  if (proc == Proc::win_unlock || proc == Proc::win_unlock_all)
    std::erase_if(sync.locks, [&](const Local::Epoch& e) { return e.target == target; });
  // What was flushed has been done at the target, so the lock is there.
  for (Local::Epoch& e : sync.locks) {
    if ((proc == Proc::win_flush && e.target == target) || proc == Proc::win_flush_all)
      e.acquired = true;
  }
}

bool WaitFeed::in_lock_call() const {
  bool any = false;
  locals_.for_each([&](std::size_t, const Local& its) { any = any || its.locking.seq != 0; });
  return any;
}

void WaitFeed::add_locks(wait::Snapshot& snapshot) const {
  const auto window_of = [](const Local& local, std::uint64_t raw) -> const Order* {
    const auto found = local.windows.find(raw);
    return found == local.windows.end() ? nullptr : &found->second;
  };
  locals_.for_each([&](std::size_t, const Local& waiter) {
    if (waiter.locking.seq == 0 || waiter.ignored || !waiter.waiting.empty() || waiter.rank < 0 ||
        node_.waits(waiter.rank) || (waiter.watched && waiter.outside) || waiter.strand_count > 1)
      return;
    const Order* window = window_of(waiter, waiter.locking.window);
    const auto mine = waiter.syncs.find(waiter.locking.window);
    if (window == nullptr || mine == waiter.syncs.end()) return;
    const auto excludes = [&](const Local::Epoch& theirs) {
      return std::any_of(
          mine->second.locks.begin(), mine->second.locks.end(), [&](const Local::Epoch& e) {
            const std::int64_t wanted = waiter.locking.target;
            const auto meets = [](std::int64_t a, std::int64_t b) {
              return a == b || a == kAllTargets || b == kAllTargets;
            };
            return !e.acquired && meets(e.target, wanted) && meets(e.target, theirs.target) &&
                   (e.exclusive || theirs.exclusive);
          });
    };
    wait::Blocked b;
    b.label = waiter.locking.label;
    b.ranks.add(waiter.rank);
    b.all = false;
    std::vector<wait::Term> holders, others;
    locals_.for_each([&](std::size_t, const Local& local) {
      if (&local == &waiter || local.rank < 0) return;
      for (const auto& [raw, sync] : local.syncs) {
        const Order* theirs = window_of(local, raw);
        if (theirs == nullptr || theirs->comm.members != window->comm.members ||
            theirs->comm.id != window->comm.id || theirs->salt != window->salt)
          continue;
        for (const Local::Epoch& e : sync.locks) {
          const bool contends = local.locking.seq != 0 && local.locking.window == raw &&
                                local.locking.target == e.target && !e.acquired &&
                                (e.target != kAllTargets || mine->second.locks.size() == 1);
          if (!contends && excludes(e))
            (e.acquired ? holders : others)
                .push_back({.kind = wait::Term::Kind::rank, .loose = true, .rank = local.rank});
        }
      }
    });
    b.terms = std::move(holders.empty() ? others : holders);
    if (b.terms.empty()) return;
    b.sort_terms();
    snapshot.blocked.push_back(std::move(b));
  });
}

}  // namespace vouch
