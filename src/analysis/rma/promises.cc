// Promises of a window's info that do not hold (MPI-4.1 12.2.1), and memory that is attached again.
//
// Misses: hints that are given later, by MPI_Win_set_info.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "analysis/rma/rma.h"

namespace vouch {

// Once all processes have told theirs: the lowest rank that promises, and the first that differs.
void Rma::judge_promises(Shared& shared) {
  const auto told = [](const auto& part) { return part.second.known; };
  const auto members = static_cast<std::size_t>(shared.members->size);
  if (shared.parts.size() < members) return;
  if (std::count_if(shared.parts.begin(), shared.parts.end(), told) < shared.members->size) return;
  const auto judge = [&](Cause cause, bool WindowPart::*promised, std::int64_t WindowPart::*value,
                         const char* what) {
    const WindowPart* first = nullptr;
    for (const auto& [rank, part] : shared.parts) {
      if (!(part.*promised) || part.dynamic) continue;
      if (first == nullptr) first = &part;
      if (part.*value == first->*value) continue;
      sink_.report(
          {.rule = info(cause).rule,
           .severity = info(info(cause).rule).severity,
           .message = fmt::format("{}={}, and rank {} passes {}", what, part.*value,
                                  first->rank.value, first->*value),
           .cause = info(cause).key,
           .places = {{part.rank, part.made, info(part.made_by).name, {}},
                      {first->rank, first->made, info(first->made_by).name, "the same window"}},
           .why = cause});
      return;
    }
  };
  judge(Cause::window_same_size, &WindowPart::same_size, &WindowPart::bytes, "size");
  judge(Cause::window_same_unit, &WindowPart::same_unit, &WindowPart::unit, "disp_unit");
}

void Rma::judge_no_locks(Process& process, Call& call, const WindowCall& c, const Window& window,
                         const Handle& h) {
  if (!h.no_locks || (c.deed != WindowDeed::lock && c.deed != WindowDeed::lock_all)) return;
  if (again(process, call, Cause::window_no_locks, {window.made})) return;
  report(process, call, Cause::window_no_locks,
         "the info of the window says that it is never locked: no_locks=true",
         {made_place(process, window, "window made here")});
}

// MPI-4.1 12.2.4: no part of the memory may be attached already.
void Rma::judge_attach(Process& process, Call& call, const WindowCall& c, const Window& window,
                       Handle& h) {
  const Event enter = call.enter();
  const std::uint64_t base = enter.address(c.base);
  const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(enter.value(c.bytes), 0));
  const std::uint64_t end = base + bytes;
  auto at = h.attached.lower_bound(base);
  if (at != h.attached.begin() && std::prev(at)->second.end > base) --at;
  const bool meets =
      bytes > 0 && at != h.attached.end() && at->first < end && at->second.end > base;
  const Site other = meets ? at->second.site : Site{};
  Attached& mine = h.attached[base];
  ++mine.times;
  mine.end = std::max(mine.end, end);
  mine.site = call.site();
  if (!meets || call.poisoned || again(process, call, Cause::window_attached, {other})) return;
  report(process, call, Cause::window_attached,
         "some of these bytes are attached to the window already",
         {{process.rank, other, info(call.proc()).name, "attached here"},
          made_place(process, window, "window made here")});
}

}  // namespace vouch
