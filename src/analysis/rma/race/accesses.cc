// How accesses come to the table, what they are compared with, and when they are dropped.

#include <algorithm>
#include <utility>

#include "analysis/rma/race/races.h"
#include "model/saturate.h"

namespace vouch {

using rma::Access;
using rma::AccessEnd;
using rma::AccessId;
using rma::AccessSort;
using rma::Touches;

void OneSidedRaces::not_judged(const char* why, Site site) {
  auto& [count, first] = gaps_[why];
  if (count++ == 0) first = site;
}

Access OneSidedRaces::access_of(const Process& process, const Call& call, AccessSort touch) const {
  Access a;
  a.touch = touch;
  a.start.process = static_cast<std::uint32_t>(process.index);
  a.start.tick = rma::entered(call.seq());
  a.start.knows = clocks_->knowledge(a.start.process);
  a.call = call.seq();
  a.proc = call.proc();
  a.site = call.site();
  a.issued = clocks_->note(a.start.process);
  return a;
}

AccessEnd OneSidedRaces::end_here(const Process& process, const Call& call, bool returned) {
  const auto p = static_cast<std::uint32_t>(process.index);
  const std::uint32_t number = clocks_->note(p);
  return {{p, number, call.seq(), call.proc(), call.site(), clocks_->knowledge(p)},
          returned ? rma::returned(call.seq()) : rma::entered(call.seq())};
}

// ---- Where ----
bool OneSidedRaces::in_window(std::uint32_t process, std::int64_t lo, std::int64_t hi) const {
  for (const auto& [raw, handle] : windows_->of(process)) {
    if (handle.window == nullptr) continue;
    const WindowMemory& m = handle.window->of(handle.rank);
    if (m.dynamic || (lo < m.base + m.bytes && hi > m.base)) return true;
  }
  return false;
}

// By which window others may meet this access of its owner, and under which lock it is made.
void OneSidedRaces::name_window(Access& a) {
  State& s = states_[a.by()];
  for (const auto& [raw, handle] : windows_->of(a.space)) {
    if (handle.window == nullptr) continue;
    const WindowMemory& m = handle.window->of(handle.rank);
    if (!m.dynamic && (a.region.lo >= m.base + m.bytes || a.region.hi <= m.base)) continue;
    a.window = handle.window->number;
    a.base = m.base;
    for (auto& [mine, e] : s.windows) {
      if (e.window != handle.window) continue;
      put_under_lock(a, e, handle.rank);
      if (a.touch.what != Touches::load || !a.small) continue;
      if (e.polls == nullptr) e.polls = std::make_shared<bool>(false);
      a.polls = e.polls;
    }
    if (a.lock.window != 0) return;
  }
}

// Memory that the process itself touches: its own, or parts of others in shared windows.
std::vector<AccessId> OneSidedRaces::add_own(Process& process, const Region& region,
                                             const Access& like) {
  std::vector<AccessId> made;
  State& s = state(process);
  const auto put = [&](Region r) {
    if (r.empty()) return;
    Access a = like;
    a.region = std::move(r);
    a.space = a.by();
    a.small = a.region.hi - a.region.lo <= Access::kSmall;
    a.own = !in_window(a.by(), a.region.lo, a.region.hi);
    if (!a.own) name_window(a);
    made.push_back(table_.make(std::move(a)));
    add(made.back());
  };
  Region rest = region;
  auto at = s.segments.upper_bound(rest.lo);
  if (at != s.segments.begin() && std::prev(at)->second.hi > rest.lo) --at;
  for (; at != s.segments.end() && at->first < rest.hi; ++at) {
    const auto& [base, segment] = *at;
    if (!region.dense() && region.lo < base) continue;
    if (rest.lo < base) {
      Region before = rest;
      before.hi = base;
      put(before);
      rest.lo = base;
    }
    Unplaced u;
    u.region = rest;
    if (region.dense()) u.region.hi = std::min(rest.hi, segment.hi);
    rest.lo = u.region.hi;
    u.region.lo -= base;
    u.region.hi -= base;
    u.region.at -= base;
    u.window = segment.window;
    u.owner = segment.owner;
    if (like.touch.what == Touches::atomic_load) u.reads.push_back(like.end);
    Access there = like;
    // A lock of its owner protects it, whoever loads and stores there (MPI-4.1 12.5.3).
    for (const auto& [mine, e] : s.windows) {
      if (e.window == segment.window) put_under_lock(there, e, segment.owner);
    }
    u.id = table_.make(std::move(there));
    made.push_back(u.id);
    table_.hold(u.id);
    place_or_wait(std::move(u));
  }
  if (rest.lo < rest.hi) put(rest);
  return made;
}

// A part of a shared window that another process has made its own window of.
OneSidedRaces::Home OneSidedRaces::home_of(std::uint32_t process, std::int64_t address) const {
  if (process >= states_.size()) return {process};
  const std::map<std::int64_t, Segment>& segments = states_[process].segments;
  auto at = segments.upper_bound(address);
  if (at == segments.begin() || (--at)->second.hi <= address) return {process};
  const WindowMemory& owner = at->second.window->of(at->second.owner);
  if (!owner.known || !owner.addressed) return {process, 0, false};
  return {owner.process, owner.base - at->first};
}

std::int64_t OneSidedRaces::start_of(const Unplaced& u, const WindowMemory& memory) {
  return vouch::add(memory.base, u.type != nullptr ? mul(u.disp, memory.unit) : u.region.lo);
}

void OneSidedRaces::place_or_wait(Unplaced&& u) {
  const WindowMemory& memory = u.window->of(u.owner);
  if (memory.known && memory.addressed && home_of(memory.process, start_of(u, memory)).known)
    return place(u);
  memory_.expect();
  unplaced_.push_back(std::move(u));
}

void OneSidedRaces::place(Unplaced& u) {
  Access& a = table_.at(u.id);
  const WindowMemory& memory = u.window->of(u.owner);
  const Home home = home_of(memory.process, start_of(u, memory));
  a.space = home.process;
  a.base = memory.dynamic ? 0 : memory.base + home.shift;
  if (u.type != nullptr) {
    a.region = region_of(u.type, vouch::add(start_of(u, memory), home.shift), u.count);
  } else {
    a.region = u.region;
    a.region.lo += memory.base + home.shift;
    a.region.hi += memory.base + home.shift;
    a.region.at += memory.base + home.shift;
    a.window = u.window->number;
  }
  a.small = a.region.hi - a.region.lo <= Access::kSmall;
  a.region.writes = writes(a.touch);
  if (!a.region.empty()) {
    const rma::Location at = place_of_access(a);
    // A put that the target may poll for by loads (MPI-4.1 12.7).
    const bool flag = a.touch.what == Touches::target_write && a.small;
    if (flag || (atomic(a.touch.what) && writes(a.touch))) memory_.wrote(at, a.start);
    for (const AccessEnd& end : u.reads) memory_.read(at, end);
    add(u.id);
  }
  table_.let_go(u.id);
}

void OneSidedRaces::place_waiting() {
  if (unplaced_.empty() || placed_at_ == windows_->version()) return;
  placed_at_ = windows_->version();
  for (Unplaced& u : std::exchange(unplaced_, {})) {
    memory_.came();
    place_or_wait(std::move(u));
  }
}

// ---- Comparing ----
void OneSidedRaces::add(AccessId id) {
  table_.hold(id);
  if (unknown_.empty() && table_.at(id).start.known()) return compare(id);
  unknown_.push_back(id);
}

void OneSidedRaces::take_known() {
  while (!unknown_.empty() && table_.at(unknown_.front()).start.known()) {
    const AccessId id = unknown_.front();
    unknown_.pop_front();
    compare(id);
  }
}

void OneSidedRaces::compare(AccessId id) {
  const Access& a = table_.at(id);
  std::vector<AccessId> met;
  table_.for_each_met(a, [&](AccessId other, const Access& b) {
    const bool same = a.by() == b.by();
    const rma::Relation relation{same, a.window == b.window, a.ordered_updates, a.one_operation};
    const bool whole = conflict(a.touch, b.touch, relation);
    if (!whole && !may_be_displaced(a.touch, b.touch, relation)) return;
    if (same && a.call == b.call && one_sided(a.touch.what) && one_sided(b.touch.what) &&
        at_target(a.touch.what) != at_target(b.touch.what))
      return;
    if (!same && exclude(a.lock, b.lock) && a.locked() && b.locked()) return;
    if (b.over_before(a.start) || a.over_before(b.start)) return;
    switch (whole ? test_.meet(a.region, b.region)
                  : test_.displaced(a.region, b.region, a.touch.element)) {
      case Overlap::no:
        return;
      case Overlap::over_budget:
        return not_judged("datatypes of more pieces than are compared", a.site);
      case Overlap::yes:
        // Between two processes what they know of each other decides.
        if (!same && (a.start.doubtful() || b.start.doubtful()))
          return not_judged("what happens before what is not known", a.site);
        met.push_back(other);
    }
  });
  for (const AccessId other : met) findings_.add(id, other);
  if (!a.transient) {
    table_.insert(id);
    if (table_.at(id).in_tree && table_.at(id).end.there()) drop_or_join(id);
  }
  table_.let_go(id);
  if (table_.live() >= sweep_at_) sweep();
}

// ---- Ending ----
void OneSidedRaces::end(AccessId id, const AccessEnd& over) {
  Access& a = table_.at(id);
  if (a.end.there()) return;
  a.end = over;
  if (a.in_tree) drop_or_join(id);
}

// It is in the table, and has ended. Of what only its process can touch there is nothing to come,
// unless something waits that came before the end.
void OneSidedRaces::drop_or_join(AccessId id) {
  if (table_.at(id).own && unknown_.empty())
    table_.remove(id);
  else
    table_.ended(id);
}

// What all who may touch the memory know to be over can meet nothing that comes.
void OneSidedRaces::sweep() {
  constexpr std::uint32_t kSomebody = UINT32_MAX;  // of whom nothing was read yet
  if (unknown_.empty() && unplaced_.empty() && table_.live() != 0) {
    // By whose memory: who may touch it.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> users;
    windows_->for_each([&](const SharedWindow& w) {
      if (w.apart) return;
      const bool all_told = w.memory.size() == static_cast<std::size_t>(w.members->size);
      for (const auto& [rank, m] : w.memory) {
        const Home home = home_of(m.process, m.base);
        for (const std::uint32_t owner : {m.process, home.process}) {
          std::vector<std::uint32_t>& all = users[owner];
          for (const auto& [user, other] : w.memory) all.push_back(other.process);
          if (!all_told || !home.known) all.push_back(kSomebody);
          if (home.process == m.process) break;
        }
      }
    });
    // How much of one process all users of a memory know.
    std::unordered_map<std::uint64_t, std::uint32_t> least;
    const auto known_of = [&](std::uint32_t space, std::uint32_t process) {
      const std::uint64_t key = (std::uint64_t{space} << 32) | process;
      const auto [at, is_new] = least.emplace(key, UINT32_MAX);
      if (!is_new) return at->second;
      for (const std::uint32_t user : users[space]) {
        if (user == process) continue;
        if (user == kSomebody) {
          at->second = 0;
          continue;
        }
        const MomentRef& now = clocks_->knowledge(user);
        const std::uint32_t count = now->known() ? now->count(process) : 0;
        at->second = std::min(at->second, count);
      }
      return at->second;
    };
    std::vector<AccessId> over;
    table_.for_each([&](AccessId id, Access& a) {
      if (!a.end.there()) a.end = a.ends();
      if (a.end.there() && known_of(a.space, a.end.point.process) >= a.end.point.number)
        over.push_back(id);
    });
    for (const AccessId id : over) table_.remove(id);
    // What something lay between may have become one: what was told or learnt there was told again.
    table_.for_each([&](AccessId id, const Access& a) {
      if (a.end.there()) table_.ended(id);
    });
    std::vector<AccessEnd> live;
    const auto keep = [&](const Access& a) {
      for (const AccessEnd& end : {a.end, a.waited()}) {
        if (end.there()) live.push_back(end);
      }
    };
    table_.for_each([&](AccessId, const Access& a) { keep(a); });
    findings_.for_each_waiting([&](AccessId id) { keep(table_.at(id)); });
    memory_.sweep(live, [&](std::uint32_t space, const AccessEnd& end) {
      return known_of(space, end.point.process) >= end.point.number;
    });
  }
  sweep_at_ = std::max<std::size_t>(1024, 2 * table_.live());
}

bool OneSidedRaces::at_rest() {
  if (!active_) return true;
  sweep();
  return table_.live() == 0 && unknown_.empty() && unplaced_.empty() && !findings_.waiting();
}

}  // namespace vouch
