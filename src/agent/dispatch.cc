#include "agent/dispatch.h"

#include <algorithm>
#include <utility>

namespace vouch {
namespace {

// Nested calls cannot go on for ever; a callback that makes many calls without leave records must
// not look as if they did.
constexpr int kMaxDepth = 64;

// Enough zeros for the words of any leave record: error class 0, no results, empty arrays.
constexpr std::array<std::uint64_t, 64> kNoWords{};

}  // namespace

Dispatch::Dispatch(World& world, std::vector<std::unique_ptr<Analysis>> analyses)
    : world_(world), analyses_(std::move(analyses)), facts_(world) {
  for (const auto& a : analyses_) {
    auto* observer = dynamic_cast<MatchObserver*>(a.get());
    if (observer == nullptr) continue;
    facts_.observe(observer);
    facts_wanted_ = true;
  }
  const auto here = [&] { return static_cast<std::uint32_t>(listeners_.size()); };
  for (std::size_t p = 0; p < on_enter_.size(); ++p) {
    const Proc proc = static_cast<Proc>(p);
    VOUCH_CHECK(info(proc).leave_words <= kNoWords.size());
    on_enter_[p].first = here();
    for (const auto& a : analyses_) {
      if (a->wants(proc).enter) listeners_.push_back(a.get());
    }
    on_enter_[p].last = on_leave_[p].first = here();
    for (const auto& a : analyses_) {
      if (a->wants(proc).leave) listeners_.push_back(a.get());
    }
    on_leave_[p].last = here();
  }
}

void Dispatch::enter(Process& process, int thread, const Event& event) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  if ((event.flags() & wire::kFlagCallback) == 0) {
    while (t.depth > 0) close_top(process, t);
  } else if (t.depth > 1 && (!t.calls[static_cast<std::size_t>(t.depth) - 1].info().has_leave() ||
                             t.depth == kMaxDepth)) {
    // The outermost call is still open: we are in one of its callbacks. What that callback called
    // before and that writes no leave record has returned: such procedures (sends, barriers) call
    // nothing back.
    close_top(process, t);
  }
  const auto top = static_cast<std::size_t>(t.depth);
  if (top == t.calls.size()) t.calls.emplace_back();
  Call& call = t.calls[top];
  call.open(event, process.site(event.header().site), thread);
  ++t.depth;

  const auto proc = static_cast<std::size_t>(event.proc());
  ++calls_;
  ++per_proc_[proc];
  for (Analysis* a : of(on_enter_[proc])) a->on_enter(process, call);
  if (facts_wanted_ && facts_.sees_enter(call.proc())) facts_.enter(process, call);
  world_.apply_enter(process, call);
}

void Dispatch::leave(Process& process, int thread, const Event& event) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  const std::uint32_t seq = event.header().site;
  int at = t.depth - 1;
  while (at >= 0 && t.calls[static_cast<std::size_t>(at)].seq() != seq) --at;
  if (at < 0) return;  // taken for returned already (see enter)
  while (t.depth - 1 > at) close_top(process, t);

  Call& call = t.calls[static_cast<std::size_t>(at)];
  for (Analysis* a : of(on_leave_[static_cast<std::size_t>(call.proc())]))
    a->on_leave(process, call, event);
  if (facts_wanted_ && facts_.sees_leave(call.proc())) facts_.leave(process, call, event);
  world_.apply_leave(process, call, event);
  call.is_open = false;
  --t.depth;
}

void Dispatch::returned(Process& process, int thread, std::uint32_t seq) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  int at = t.depth - 1;
  while (at >= 0 && t.calls[static_cast<std::size_t>(at)].seq() != seq) --at;
  if (at < 0) return;
  while (t.depth > at) close_top(process, t);
}

void Dispatch::close_top(Process& process, Thread& t) {
  Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
  const Interested interested = on_leave_[static_cast<std::size_t>(call.proc())];
  const bool fact = facts_wanted_ && facts_.sees_leave(call.proc());
  if (interested.first != interested.last || fact) {
    const wire::RecordHeader header{
        static_cast<std::uint16_t>(call.proc()), wire::Phase::leave, 0, 0, call.seq(), call.seq()};
    const Event bare(&header, kNoWords.data());
    for (Analysis* a : of(interested)) a->on_leave(process, call, bare);
    if (fact) facts_.leave(process, call, bare);
  }
  world_.apply_return(process, call);
  call.is_open = false;
  --t.depth;
}

void Dispatch::memory(Process& process, int thread, const Event& meta) {
  for (const auto& a : analyses_) a->on_memory(process, thread, meta);
}

void Dispatch::policy(Process& process, int thread, const Event& meta) {
  for (const auto& a : analyses_) a->on_policy(process, thread, meta);
}

bool Dispatch::pause(const Pause& pause) {
  stuck_.clear();
  for (const auto& a : analyses_) {
    if (std::vector<int> ranks = a->on_pause(pause); !ranks.empty()) stuck_ = std::move(ranks);
  }
  if (stuck_.empty()) return false;
  // What the members of a collective disagree about may be the reason.
  if (facts_wanted_) facts_.tell_waiting(stuck_);
  for (const auto& a : analyses_) a->on_stuck();
  return true;
}

bool Dispatch::ahead(const Process& process) {
  return std::any_of(analyses_.begin(), analyses_.end(),
                     [&](const auto& a) { return a->ahead(process); });
}

void Dispatch::let_go(const Process& process) {
  for (const auto& a : analyses_) a->let_go(process);
}

void Dispatch::inside(Process& process, int thread, const Event& meta) {
  const auto met = meet(process, thread, meta);
  if (met.second == nullptr) return;
  for (const auto& a : analyses_) a->on_inside(process, *met.first, *met.second);
}

void Dispatch::claim(Process& process, const Event& meta) {
  for (const auto& a : analyses_) a->on_claim(process, meta);
}

void Dispatch::end(Process& process) {
  for (const auto& a : analyses_) a->on_end(process);
}

void Dispatch::finish() {
  if (facts_wanted_) facts_.finish();
  for (const auto& a : analyses_) a->finish();
}

}  // namespace vouch
