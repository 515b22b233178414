// Buffers of messages, collectives and file operations as accesses: from the call, or the start of
// a persistent one, to the completion.
//
// Of a partitioned operation each partition is an access of its own. One that is sent is the
// program's until MPI_Pready names it, one that is received is the program's again when
// MPI_Parrived has said so (MPI-4.1 4.2).

#include <algorithm>
#include <utility>

#include "analysis/rma/race/races.h"
#include "model/named_request.h"

namespace vouch {

using rma::Access;
using rma::AccessEnd;
using rma::AccessId;
using rma::Touches;

void OneSidedRaces::enter_buffers(Process& process, Call& call, const AccessPlan& plan) {
  State& s = state(process);
  if (ignored(process, call) || (windows_->of(static_cast<std::uint32_t>(process.index)).empty() &&
                                 !s.instrumented && table_.live() == 0))
    return;
  regions_.clear();
  collect(plan, process, call.enter(), regions_);
  if (regions_.empty()) return;
  if (call.info().has(kPersistent)) {
    s.patterns[call.seq()] = {regions_, plan.partitions >= 0};
    return;
  }
  const bool pends = call.info().has(kNonblocking);
  std::vector<AccessId>& ids =
      pends ? s.pending[operation_key(call.seq())].ids : s.open[call.seq()];
  for (const Region& r : regions_) begin_buffer(process, call, r, pends, ids);
}

// The call, or what it starts, uses this memory from here on.
void OneSidedRaces::begin_buffer(Process& process, const Call& call, const Region& region,
                                 bool pends, std::vector<AccessId>& ids) {
  Access a = access_of(process, call, {region.writes ? Touches::call_write : Touches::call_read});
  a.ends_alone = true;
  // Until a blocking one returns the process does nothing else.
  a.at_once = !pends;
  a.transient =
      !pends && state(process).segments.empty() && !in_window(a.by(), region.lo, region.hi);
  for (const AccessId id : add_own(process, region, a)) ids.push_back(id);
}

void OneSidedRaces::end_buffers(std::vector<AccessId>& ids, const AccessEnd& over) {
  for (const AccessId id : std::exchange(ids, {})) {
    end(id, over);
    table_.let_go(id);
  }
}

void OneSidedRaces::on_enter_acts(Process& process, Call& call, std::span<const Act> acts) {
  if (!active_) return;
  State& s = state(process);
  for (const Act& act : acts) {
    if (act.what == Act::What::ready) make_ready(process, call, act.op);
    if (act.what != Act::What::started) continue;
    const auto found = s.patterns.find(call_of(act.pattern));
    if (found == s.patterns.end()) continue;
    const Pattern& pattern = found->second;
    Pending& pending = s.pending[act.op];
    if (pattern.partitioned) {
      pending.partitions.resize(pattern.regions.size());
      for (std::size_t i = 0; i < pattern.regions.size(); ++i) {
        pending.partitions[i].region = pattern.regions[i];
        if (pattern.regions[i].writes)
          begin_buffer(process, call, pattern.regions[i], true, pending.partitions[i].ids);
      }
    } else {
      for (const Region& r : pattern.regions) begin_buffer(process, call, r, true, pending.ids);
    }
  }
}

void OneSidedRaces::make_ready(Process& process, const Call& call, OperationKey op) {
  State& s = state(process);
  const auto found = s.pending.find(op);
  if (found == s.pending.end()) return;
  std::vector<Partition>& partitions = found->second.partitions;
  each_partition(call, partitions.size(), [&](std::size_t i) {
    Partition& p = partitions[i];
    if (p.ids.empty() && !p.region.writes && !p.region.empty())
      begin_buffer(process, call, p.region, true, p.ids);
  });
}

// MPI_Parrived.
void OneSidedRaces::arrive(Process& process, const Call& call, const Event& leave) {
  if (!leave.has_words() || leave.error_class() != 0 || leave.result(call.info().at.flag) == 0)
    return;
  const NamedRequest named = named_request(process, call, call.info().at.request);
  State& s = state(process);
  const auto found =
      named.request == nullptr ? s.pending.end() : s.pending.find(named.request->operation);
  if (found == s.pending.end()) return;
  std::vector<Partition>& partitions = found->second.partitions;
  each_partition(call, partitions.size(), [&](std::size_t i) {
    if (partitions[i].region.writes) end_buffers(partitions[i].ids, end_here(process, call, true));
  });
}

void OneSidedRaces::on_leave_acts(Process& process, Call& call, const Event&,
                                  std::span<const Act> acts) {
  if (!active_) return;
  State& s = state(process);
  for (const Act& act : acts) {
    if (act.what != Act::What::completed) continue;
    for (const NamedPart& part : act.parts) {
      if (!part.done) continue;
      const AccessEnd over = end_here(process, call, true);
      complete_request(process, call_of(part.op), over);
      const auto pending = s.pending.find(part.op);
      if (pending == s.pending.end()) continue;
      end_buffers(pending->second.ids, over);
      for (Partition& p : pending->second.partitions) end_buffers(p.ids, over);
      s.pending.erase(pending);
    }
  }
}

}  // namespace vouch
