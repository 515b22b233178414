#include "model/replay.h"

#include <algorithm>
#include <array>
#include <set>

namespace vouch {
namespace {

// Zeros for the words of any leave record: success, nothing returned.
constexpr std::array<std::uint64_t, 64> kNoWords{};

End told_end(const Event& e) {
  const auto what = static_cast<wire::Meta>(e.header().proc);
  return what == wire::Meta::exit     ? End::exited
         : what == wire::Meta::signal ? End::signalled
                                      : End::alive;
}

bool is_memory(const Event& e) {
  const auto what = static_cast<wire::Meta>(e.header().proc);
  return what == wire::Meta::block || what == wire::Meta::freed || what == wire::Meta::modified;
}

bool is(const Event& e, wire::Meta what) {
  return static_cast<wire::Meta>(e.header().proc) == what;
}

}  // namespace

Process& Replay::process(int rank) {
  const auto found = by_rank_.find(rank);
  if (found != by_rank_.end()) return world_.process(found->second);
  Process& p = world_.add_process(1000 + rank, WorldRank{rank});
  by_rank_[rank] = p.index;
  return p;
}

void Replay::run(const TextTrace& trace, Listener* listener) {
  for (const TextItem& item : trace.items) {
    Process& p = process(item.rank);
    if (p.sites.empty()) {
      for (std::uint32_t s = 0; s < trace.sites.size(); ++s) p.sites.push_back(Site{s});
    }
    if (p.end != End::alive) continue;
    if (item.what == TextItem::What::killed) {
      p.end = End::killed;
    } else if (item.what == TextItem::What::record &&
               trace.event(item).phase() == wire::Phase::meta) {
      if (listener != nullptr && is_memory(trace.event(item)))
        listener->on_memory(p, item.thread, trace.event(item));
      if (listener != nullptr &&
          (is(trace.event(item), wire::Meta::access) || is(trace.event(item), wire::Meta::exposed)))
        listener->on_access(p, trace.event(item));
      if (listener != nullptr && is(trace.event(item), wire::Meta::claim))
        listener->on_claim(p, trace.event(item));
      if (listener != nullptr && is(trace.event(item), wire::Meta::value))
        listener->on_value(p, item.thread, trace.event(item));
      if (listener != nullptr && is(trace.event(item), wire::Meta::polls))
        listener->on_polls(p, trace.event(item));
      if (is(trace.event(item), wire::Meta::inside) && listener != nullptr) {
        if (const auto met = meet(p, item.thread, trace.event(item)); met.second != nullptr)
          listener->on_inside(p, *met.first, *met.second);
      }
      world_.apply_meta(p, item.thread, trace.event(item));
      p.end = told_end(trace.event(item));
    } else {
      call(trace, item, p, listener);
    }
    if (p.end != End::alive && listener != nullptr) listener->on_end(p);
  }
  for (const auto& [rank, index] : by_rank_) {
    Process& p = world_.process(index);
    if (p.end != End::alive || p.phase != Phase::finalized) continue;
    p.end = End::exited;
    if (listener != nullptr) listener->on_end(p);
  }
}

void Replay::call(const TextTrace& trace, const TextItem& item, Process& p, Listener* listener) {
  const auto number = static_cast<std::size_t>(item.thread);
  while (p.threads.size() <= number)
    p.threads.push_back({static_cast<int>(p.threads.size()), false, {}, 0});
  Thread& thread = p.threads[number];
  const Event event = trace.event(item);
  if (event.is_enter() && item.what == TextItem::What::record) {
    const auto top = static_cast<std::size_t>(thread.depth);
    if (thread.calls.size() <= top) thread.calls.emplace_back();
    Call& call = thread.calls[top];
    call.open(event, p.site(event.header().site), item.thread);
    call.usual = p.usual() && thread.depth == 0;
    ++thread.depth;
    if (listener != nullptr) listener->on_enter(p, call);
    world_.apply_enter(p, call);
    return;
  }
  const std::uint32_t seq = event.is_leave() ? event.header().site : event.seq();
  const auto open = std::find_if(thread.calls.begin(), thread.calls.begin() + thread.depth,
                                 [&](const Call& c) { return c.seq() == seq; });
  VOUCH_CHECK(open != thread.calls.begin() + thread.depth);
  if (event.is_leave()) {
    if (listener != nullptr) listener->on_leave(p, *open, event);
    world_.apply_leave(p, *open, event);
  } else {
    const wire::RecordHeader header{event.header().proc, wire::Phase::leave, 0, 0, seq, seq};
    if (listener != nullptr) listener->on_leave(p, *open, Event(&header, kNoWords.data()));
    world_.apply_return(p, *open);
  }
  open->is_open = false;
  --thread.depth;
}

}  // namespace vouch
