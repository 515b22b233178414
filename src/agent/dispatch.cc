#include "agent/dispatch.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/collective/parts.h"
#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

// Nested calls cannot go on forever; a callback that makes many calls without leave records must
// not look as if they did.
constexpr int kMaxDepth = 64;

// Enough zeros for the words of any leave record: error class 0, no results, empty arrays.
constexpr std::array<std::uint64_t, Dispatch::kMostResults> kNoWords{};

// Places of a process at which calls are remembered.
constexpr std::uint32_t kPlaces = 4096;

// Whether a call is all said by its words, and these name no object that comes and goes with it.
bool is_plain(const ProcInfo& about, std::size_t most) {
  if (about.family != Family::p2p && about.family != Family::collective) return false;
  if (about.has(kPersistent) || about.enter_words > most) return false;
  return std::none_of(about.params.begin(), about.params.end(), [](const Param& p) {
    return p.is_array() ||
           (p.dir != Dir::out && (p.kind == Kind::request || p.kind == Kind::message));
  });
}

}  // namespace

Dispatch::Dispatch(World& world, Analyses analyses)
    : world_(world), analyses_(std::move(analyses)), facts_(world) {
  for (MatchObserver* observer : analyses_.observers) facts_.observe(observer);
  for (ActListener* listener : analyses_.act_listeners) facts_.listen(listener);
  facts_wanted_ = !analyses_.observers.empty() || !analyses_.act_listeners.empty();
  for (std::size_t p = 0; p < plans_.size(); ++p) {
    const Proc proc = static_cast<Proc>(p);
    VOUCH_CHECK(info(proc).leave_words <= kNoWords.size());
    Plan& plan = plans_[p];
    plan.begins = World::sees_enter(proc);
    plan.takes_effect = world_.sees_leave(proc);
    plan.remembered = is_plain(info(proc), kRemembered);
  }
  ask();
}

void Dispatch::ask() {
  *analyses_.wants_changed = false;
  // Those of one set, a bit for each analysis, stand once in the list.
  const auto& all = analyses_.in_order;
  VOUCH_CHECK(all.size() <= 64);
  listeners_.clear();
  std::map<std::uint64_t, Interested> known;
  const auto listeners = [&](std::uint64_t set) {
    const auto [at, is_new] = known.try_emplace(set);
    if (!is_new) return at->second;
    const auto first = static_cast<std::uint16_t>(listeners_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((set >> i & 1) != 0) listeners_.push_back(all[i].get());
    }
    VOUCH_CHECK(listeners_.size() <= UINT16_MAX);
    return at->second = {first, static_cast<std::uint16_t>(listeners_.size())};
  };
  facts_.ask_listeners();
  for (std::size_t p = 0; p < plans_.size(); ++p) {
    const Proc proc = static_cast<Proc>(p);
    std::uint64_t enter[2][2] = {}, leave[2] = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Wants wants = all[i]->wants(proc);
      if (!wants.enter && !wants.leave) continue;  // most analyses of most procedures
      const std::uint64_t one = std::uint64_t{1} << i;
      for (const bool usual : {false, true}) {
        for (const bool repeated : {false, true}) {
          if (wants.enter_of(usual, repeated)) enter[usual][repeated] |= one;
        }
      }
      for (const bool fine : {false, true}) {
        if (wants.leave_of(fine)) leave[fine] |= one;
      }
    }
    Plan& plan = plans_[p];
    for (const bool usual : {false, true}) {
      for (const bool repeated : {false, true})
        plan.enter[usual][repeated] = listeners(enter[usual][repeated]);
    }
    for (const bool fine : {false, true}) plan.leave[fine] = listeners(leave[fine]);
    plan.fact_enter = facts_wanted_ && facts_.sees_enter(proc);
    plan.fact_leave = facts_wanted_ && facts_.sees_leave(proc);
  }
}

std::uint64_t Dispatch::calls() const {
  return std::accumulate(per_proc_.begin(), per_proc_.end(), std::uint64_t{0});
}

inline Dispatch::LastCall* Dispatch::last_call_at(const Process& process, const Event& enter) {
  const std::uint32_t site = enter.header().site;
  if (site >= kPlaces) return nullptr;
  std::vector<LastCall>& places = last_calls_[process];
  if (site >= places.size()) [[unlikely]]
    places.resize(site + 1);
  return &places[site];
}

// As bits (Call::changed). The place remembers what it says from now on.
inline std::uint32_t Dispatch::changed_words(LastCall& last, const Process& process,
                                             const Event& enter, std::size_t words) {
  if (last.proc != enter.header().proc || last.changes != process.changes) {
    last.proc = enter.header().proc;
    last.changes = process.changes;
    std::copy_n(enter.words(), words, last.words);
    return ~std::uint32_t{0};
  }
  std::uint32_t changed = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (enter.words()[i] == last.words[i]) continue;
    last.words[i] = enter.words()[i];
    changed |= std::uint32_t{1} << i;
  }
  return changed;
}

void Dispatch::enter(Process& process, int thread, const Event& event) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  const bool in_callback = (event.flags() & wire::kFlagCallback) != 0;
  if (!in_callback) [[likely]] {
    while (t.depth > 0) close_top(process, t);
  } else if (t.depth > 1 && (!t.calls[static_cast<std::size_t>(t.depth) - 1].info().has_leave() ||
                             t.depth == kMaxDepth)) {
    // The outermost call is still open: we are in one of its callbacks. What that callback called
    // before and that writes no leave record has returned: such procedures (sends, barriers) call
    // nothing back.
    close_top(process, t);
  }
  if (t.calls.begin() + t.depth == t.calls.end()) [[unlikely]]
    t.calls.emplace_back();
  Call& call = t.calls[static_cast<std::size_t>(t.depth)];
  call.open(event, process.site(event.header().site), thread);
  ++t.depth;

  const auto proc = static_cast<std::size_t>(event.proc());
  const Plan& plan = plans_[proc];
  ++per_proc_[proc];
  LastCall* last = plan.remembered ? last_call_at(process, event) : nullptr;
  if (last != nullptr) {
    call.changed = changed_words(*last, process, event, call.info().enter_words);
    call.repeated = call.changed == 0;
  }
  call.usual = process.usual() && !in_callback;
  for (Analysis* a : of(plan.enter[call.usual][call.repeated])) a->on_enter(process, call);
  if (last != nullptr && (!call.harms.empty() || !call.plain)) last->proc = 0;
  if (*analyses_.wants_changed) [[unlikely]]
    ask();
  if (plan.fact_enter) facts_.enter(process, call);
  if (plan.begins || call.held()) world_.apply_enter(process, call);
}

int Dispatch::open_call(const Thread& t, std::uint32_t seq) {
  int at = t.depth - 1;
  while (at >= 0 && t.calls[static_cast<std::size_t>(at)].seq() != seq) --at;
  return at;
}

void Dispatch::leave(Process& process, int thread, const Event& event) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  leave(process, t, open_call(t, event.header().site), event);
}

void Dispatch::leave(Process& process, Thread& t, int at, const Event& event) {
  if (at < 0) return;  // taken for returned already (see enter)
  while (t.depth - 1 > at) close_top(process, t);

  Call& call = t.calls[static_cast<std::size_t>(at)];
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  for (Analysis* a : of(plan.leave[call.fine(event.error_class())]))
    a->on_leave(process, call, event);
  if (*analyses_.wants_changed) [[unlikely]]
    ask();
  if (plan.fact_leave) facts_.leave(process, call, event);
  if (plan.takes_effect || !call.harms.empty()) world_.apply_leave(process, call, event);
  call.is_open = false;
  --t.depth;
}

void Dispatch::returned(Process& process, int thread, std::uint32_t seq) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  const int at = open_call(t, seq);
  while (at >= 0 && t.depth > at) close_top(process, t);
}

void Dispatch::close_top(Process& process, Thread& t) {
  Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
  const Plan& plan = plans_[static_cast<std::size_t>(call.proc())];
  const Interested interested = plan.leave[call.fine(0)];
  if (interested.first != interested.last || plan.fact_leave) {
    const wire::RecordHeader header{
        static_cast<std::uint16_t>(call.proc()), wire::Phase::leave, 0, 0, call.seq(), call.seq()};
    const Event bare(&header, kNoWords.data());
    for (Analysis* a : of(interested)) a->on_leave(process, call, bare);
    if (plan.fact_leave) facts_.leave(process, call, bare);
  }
  if (plan.takes_effect || !call.harms.empty()) world_.apply_return(process, call);
  call.is_open = false;
  --t.depth;
}

void Dispatch::memory(Process& process, int thread, const Event& meta) {
  for (MetaListener* a : analyses_.listeners) a->on_memory(process, thread, meta);
}

void Dispatch::policy(Process& process, int thread, const Event& meta) {
  for (MetaListener* a : analyses_.listeners) a->on_policy(process, thread, meta);
  if (facts_wanted_ && static_cast<wire::Meta>(meta.header().proc) == wire::Meta::decided)
    facts_.decided(process, thread, meta);
}

Task<bool> Dispatch::pause(const Pause& pause) {
  stuck_.clear();
  if (analyses_.deadlock == nullptr) co_return false;
  stuck_ = co_await analyses_.deadlock->on_pause(pause);
  if (stuck_.empty()) co_return false;
  // What the members of a collective disagree about may be the reason.
  if (facts_wanted_) facts_.tell_waiting(stuck_);
  if (analyses_.parts != nullptr) analyses_.parts->tell_in_vain();
  co_await analyses_.deadlock->on_stuck();
  co_return true;
}

bool Dispatch::ahead(const Process& process) {
  return analyses_.deadlock != nullptr && analyses_.deadlock->ahead(process);
}

bool Dispatch::at_rest() const {
  return facts_.at_rest() && std::all_of(analyses_.repeats.begin(), analyses_.repeats.end(),
                                         [](Repeats* r) { return r->at_rest(); });
}

void Dispatch::repeated(const Process& process, Site site, Proc proc, std::uint64_t times) {
  per_proc_[static_cast<std::size_t>(proc)] += times;
  for (Repeats* r : analyses_.repeats) r->repeated(process, site, proc, times);
}

Task<> Dispatch::let_go(const Process& process) {
  if (analyses_.deadlock != nullptr) co_await analyses_.deadlock->let_go(process);
}

void Dispatch::inside(Process& process, int thread, const Event& meta) {
  if (static_cast<wire::Meta>(meta.header().proc) == wire::Meta::threaded)
    return threaded(process, thread, meta);
  const auto met = meet(process, thread, meta);
  if (met.second == nullptr) return;
  for (MetaListener* a : analyses_.listeners) a->on_inside(process, *met.first, *met.second);
}

// A thread is started outside of MPI: what its maker called before has returned, and the new thread
// may use it. Until now such a return was no record. Threads from before MPI_Init are told by that.
void Dispatch::threaded(Process& process, int thread, const Event& meta) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (meta.word(0) == 2) return;
  while (t.depth > 0) close_top(process, t);
}

// Accesses are made outside of MPI: what the thread called before has returned, also a fence or a
// barrier, whose return is no record.
void Dispatch::access(Process& process, int thread, const Event& meta) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if (static_cast<wire::Meta>(meta.header().proc) == wire::Meta::access)
    while (t.depth > 0) close_top(process, t);
  for (MetaListener* a : analyses_.listeners) a->on_access(process, meta);
  if (*analyses_.wants_changed) [[unlikely]]
    ask();
}

void Dispatch::claim(Process& process, const Event& meta) {
  ++claims_;
  for (MetaListener* a : analyses_.listeners) a->on_claim(process, meta);
}

void Dispatch::end(Process& process) {
  for (const auto& a : analyses_.in_order) a->on_end(process);
}

void Dispatch::finish() {
  if (facts_wanted_) facts_.finish();
  for (const auto& a : analyses_.in_order) a->finish();
}

}  // namespace vouch
