// Memory of the caller that a one-sided operation reads or writes must live until the operation is
// complete at its origin (MPI-4.1 12.3): a fence, MPI_Win_complete, an unlock or a flush of its
// target.
//
// Misses: operations with a request, which may be complete before that; all but the first 1024 to
// one target.

#include <cstdint>
#include <utility>

#include "act/window_act.h"
#include "analysis/buffer/buffer.h"
#include "base/hash.h"

namespace vouch {
namespace {

constexpr int kMostMoves = 1024;

std::uint64_t key_of(std::uint64_t window, std::int64_t target) {
  return mix(mix(hash_of("moves"), window), static_cast<std::uint64_t>(target)) |
         (std::uint64_t{1} << 60);
}

}  // namespace

void BufferUse::move(Process& process, Call& call, State& s) {
  const WindowAct act = window_act(process, call);
  if (act.nobody || act.call->requests || call.poisoned || call.harms.has(Harm::memory)) return;
  const auto hold = [&](const MovedSide& side, std::int8_t param, bool writes) {
    if (!side.there || side.type == nullptr || param < 0) return;
    Region r = region_of(side.type, static_cast<std::int64_t>(side.address), side.count);
    if (r.empty() || process.memory.find(r.lo) == nullptr) return;
    int& moves = s.moves[{act.window, act.target}];
    if (moves >= kMostMoves) return;
    ++moves;
    r.writes = writes;
    r.param = param;
    const std::uint32_t o = s.held.add(key_of(act.window, act.target), call.proc(), call.site());
    s.held.operation(o).regions.push_back(std::move(r));
    s.held.occupy_all(o);
  };
  hold(act.origin, act.call->origin, act.call->gets);
  hold(act.compare, act.call->compare, false);
  hold(act.result, act.call->result, true);
}

void BufferUse::moved(const Process& process, const Call& call, State& s) {
  const WindowAct act = window_act(process, call);
  const bool all = act.target == WindowAct::kAllTargets;
  auto at = s.moves.lower_bound({act.window, all ? INT64_MIN : act.target});
  while (at != s.moves.end() && at->first.first == act.window &&
         (all || at->first.second == act.target)) {
    s.held.forget(key_of(act.window, at->first.second));
    at = s.moves.erase(at);
  }
}

// A fence or a flush that succeeds writes no record of its return: what the thread does next shows
// that it has returned. No library frees memory of the program inside one.
void BufferUse::moved_before(const Process& process, int thread, State& s) const {
  const auto t = static_cast<std::size_t>(thread);
  if (s.moves.empty() || t >= process.threads.size() || process.threads[t].depth == 0) return;
  const Thread& its = process.threads[t];
  const Call& top = its.calls[static_cast<std::size_t>(its.depth) - 1];
  const Does does = plans_[static_cast<std::size_t>(top.proc())].does;
  if (does == Does::moves_there || does == Does::win_free) moved(process, top, s);
}

}  // namespace vouch
