#include "match/exposure.h"

#include <algorithm>
#include <utility>

namespace vouch {

bool Exposures::sees_enter(Proc proc) {
  switch (window_call(proc).deed) {
    case WindowDeed::start:
    case WindowDeed::complete:
    case WindowDeed::post:
    case WindowDeed::fence:
    case WindowDeed::move:
      return true;
    default:
      return false;
  }
}

bool Exposures::sees_leave(Proc proc) {
  switch (window_call(proc).deed) {
    case WindowDeed::start:
    case WindowDeed::post:
    case WindowDeed::complete:
    case WindowDeed::wait:
    case WindowDeed::test:
    case WindowDeed::free:
      return true;
    default:
      return false;
  }
}

Exposures::Both& Exposures::both(const SharedWindowRef& window) {
  Both& b = both_[window->number];
  b.window = window;
  return b;
}

const ExposureRef& Exposures::at(Pair& pair, std::uint64_t number) {
  while (pair.first + pair.open.size() <= number) {
    pair.open.push_back(std::make_shared<Exposure>());
    pair.open.back()->posted.moment = clocks_.expected();
    pair.open.back()->completed.moment = clocks_.expected();
  }
  return pair.open[number - pair.first];
}

// It is what this process knows now.
void Exposures::tell(ExpectedMoment& expected, std::uint32_t process) {
  if (!std::exchange(expected.told, true))
    clocks_.tell_expected(expected.moment, clocks_.now(process));
}

void Exposures::never(ExpectedMoment& expected) {
  if (!std::exchange(expected.told, true)) clocks_.never(expected.moment);
}

// A post, or a start. Where its partners are not known, neither is what it orders.
void Exposures::open(const Process& process, const WindowAct& act, bool starts) {
  const auto p = static_cast<std::uint32_t>(process.index);
  Side& mine = side(process, act.window);
  std::vector<int>& ranks = starts ? mine.targets : mine.origins;
  std::vector<ExposureRef>& epochs = starts ? mine.access : mine.exposure;
  epochs.clear();
  const SharedWindows::Handle* handle = windows_.find(p, act.window);
  if (handle == nullptr || handle->window == nullptr || handle->window->apart ||
      !ranks_in(*handle->window->members, act.group, ranks)) {
    ranks.clear();
    return clocks_.doubt(p);
  }
  if (process.lossy) clocks_.doubt(p);
  Both& all = both(handle->window);
  for (const int rank : ranks) {
    Pair& pair = all.pairs[starts ? key(handle->rank, rank) : key(rank, handle->rank)];
    const ExposureRef& e = at(pair, starts ? pair.starts++ : pair.posts++);
    if (!starts) tell(e->posted, p);
    epochs.push_back(e);
  }
}

void Exposures::enter(const Process& process, const Call& call) {
  const WindowAct act = window_act(process, call);
  const auto p = static_cast<std::uint32_t>(process.index);
  switch (act.deed) {
    case WindowDeed::start:
    case WindowDeed::post:
      return open(process, act, act.deed == WindowDeed::start);
    case WindowDeed::complete:
      for (const ExposureRef& e : side(process, act.window).access) tell(e->completed, p);
      return;
    case WindowDeed::fence:
      return fence(process, act);
    case WindowDeed::move: {
      if (act.nobody || !act.fetches() || (!act.at_target.there && !act.result.there)) return;
      const ExposureRef e = open_at(p, act.window, static_cast<int>(act.target));
      if (e != nullptr) e->fetches = true;
      return;
    }
    default:
      return;
  }
}

void Exposures::leave(const Process& process, const Call& call, const Event& leave) {
  const WindowAct act = window_act(process, call);
  const auto p = static_cast<std::uint32_t>(process.index);
  const bool ok = leave.error_class() == 0;
  if (act.deed == WindowDeed::free) {
    if (ok) free(process, act);
    return;
  }
  if (!ok) return clocks_.doubt(p);
  Side& mine = side(process, act.window);
  if (act.deed == WindowDeed::complete) {
    for (const ExposureRef& e : mine.access) {
      if (e->fetches) clocks_.learn_of(p, e->posted.moment);
    }
    mine.access.clear();
    mine.targets.clear();
    return;
  }
  const bool waited = act.deed == WindowDeed::wait ||
                      (act.deed == WindowDeed::test && leave.result(act.call->flag) != 0);
  if (!waited) return;
  const MomentRef knew = mine.exposure.empty() ? MomentRef() : clocks_.knowledge(p);
  for (const ExposureRef& e : mine.exposure) clocks_.learn_of(p, e->completed.moment);
  if (!mine.exposure.empty()) {
    const std::uint32_t number = clocks_.note(p);
    const NotedPoint point{p, number, call.seq(), call.proc(), call.site(), knew};
    for (const ExposureRef& e : mine.exposure) e->waited = point;
    const SharedWindows::Handle* handle = windows_.find(p, act.window);
    if (handle != nullptr && handle->window != nullptr) {
      Both& all = both(handle->window);
      for (const int origin : mine.origins) drop_done(all.pairs[key(origin, handle->rank)]);
    }
  }
  mine.exposure.clear();
  mine.origins.clear();
}

// Those who still need one hold it.
void Exposures::drop_done(Pair& pair) {
  while (!pair.open.empty() && pair.open.front()->waited.there() &&
         pair.first < std::min(pair.starts, pair.posts) && pair.open.front()->completed.told) {
    pair.open.pop_front();
    ++pair.first;
  }
}

ExposureRef Exposures::open_at(std::uint32_t process, std::uint64_t window, int target) const {
  if (process >= sides_.size()) return nullptr;
  const auto found = sides_[process].find(window);
  if (found == sides_[process].end()) return nullptr;
  const Side& mine = found->second;
  for (std::size_t i = 0; i < mine.access.size(); ++i) {
    if (mine.targets[i] == target) return mine.access[i];
  }
  return nullptr;
}

// ---- Fences ----
ExpectedMoment& Exposures::entered(Fences& fences, std::uint64_t number) {
  ExpectedMoment& e = fences.entered[number];
  if (!e.moment) e.moment = clocks_.expected();
  return e;
}

void Exposures::fence(const Process& process, const WindowAct& act) {
  const auto p = static_cast<std::uint32_t>(process.index);
  const SharedWindows::Handle* handle = windows_.find(p, act.window);
  if (handle == nullptr || handle->window == nullptr || handle->window->apart) return;
  Side& mine = side(process, act.window);
  mine.fences++;
  mine.opens_only = act.no_precede;
  Both& all = both(handle->window);
  Fences& fences = all.fences[handle->rank];
  const std::uint64_t number = fences.count++;
  if (!act.no_precede && fences.entered.empty()) return;
  if (act.no_precede || fences.entered.contains(number)) tell(entered(fences, number), p);
  std::uint64_t least = number;
  for (const auto& [rank, f] : all.fences) least = std::min(least, f.count);
  // Who has called none may still want the first.
  if (all.fences.size() < static_cast<std::size_t>(handle->window->members->size)) least = 0;
  std::erase_if(fences.entered, [&](const auto& f) { return f.first + 1 < least; });
}

MomentRef Exposures::fence_of(std::uint32_t process, std::uint64_t window, int target) {
  if (process >= sides_.size()) return {};
  const auto found = sides_[process].find(window);
  const SharedWindows::Handle* handle = windows_.find(process, window);
  if (found == sides_[process].end() || !found->second.opens_only || handle == nullptr ||
      handle->window == nullptr)
    return {};
  Both& all = both(handle->window);
  if (target < 0 || target >= handle->window->members->size) return {};
  return entered(all.fences[target], found->second.fences - 1).moment;
}

// ---- The end ----
void Exposures::free(const Process& process, const WindowAct& act) {
  if (process.index < sides_.size()) sides_[process.index].erase(act.window);
  std::erase_if(both_, [&](const auto& b) {
    return b.second.window->gone == b.second.window->members->size;
  });
}

void Exposures::close() {
  for (auto& [number, all] : both_) {
    for (auto& [members, pair] : all.pairs) {
      for (const ExposureRef& e : pair.open) {
        never(e->posted);
        never(e->completed);
      }
    }
    for (auto& [rank, fences] : all.fences) {
      for (auto& [index, entered] : fences.entered) never(entered);
    }
  }
}

}  // namespace vouch
