// Requests that are complete only once their own process has said so: partitioned sends and
// generalized requests. Each waits for a message of the process to itself.

#include "analysis/deadlock/feed.h"

namespace vouch {

// MPI-4.1 4.2.1: a partitioned send is complete only if all its partitions were marked ready, which
// its own process does. So its request waits for a message of the process to itself, which is sent
// with the last mark, and then for the receive.
// Misses: that MPI_Wait of a thread that waits before the last mark waits for the receive, too.
void WaitFeed::ready(const Call& call, const Act& act, Local& mine) {
  const auto found = mine.persistent.find(act.parts[0].request->pattern);
  if (found == mine.persistent.end() || found->second.unready == 0) return;
  Started& s = found->second;
  // Which ones a poisoned call marks has no meaning: nobody shall seem to wait for them.
  s.unready = call.poisoned ? 0 : s.unready - act.partitions;
  if (s.unready > 0) return;
  s.unready = 0;
  Action a;
  a.what = Action::What::ready;
  a.key = s.key;
  a.label = s.label;
  a.comm = s.comm;
  a.send = s.send;
  a.salt = s.salt;
  a.wave = s.number;
  a.blocks = false;
  a.held = true;
  a.standard = s.standard;
  perform(mine, a);
}

// MPI-4.1 13.2: a generalized request is complete once its own process has said so. So its request
// waits for a message of the process to itself, too.
void WaitFeed::leave_generalized(const Process& process, const Call& call, const Event& leave) {
  Local* mine = local_closer(process, call, locals_[process]);
  if (mine == nullptr || leave.error_class() != 0) return;
  Action a;
  a.what = Action::What::generalized;
  a.label = label_of(call);
  a.key = call_key(call.seq());
  a.wave = call.seq();
  perform(*mine, a);
}

void WaitFeed::enter_generalized_done(const Process& process, const Call& call) {
  const Request* r = process.requests.find(call.enter().handle(call.info().at.request));
  if (r == nullptr || r->kind != RequestKind::generalized) return;
  Local* mine = local_closer(process, call, locals_[process]);
  if (mine == nullptr || call.poisoned) {
    // Within a callback: the call around it may wait, but this request need not.
    if (Local& its = locals_[process]; its.rank >= 0 && !its.ignored)
      simple(its, Action::What::excuse, r->operation);
    return;
  }
  Action a;
  a.what = Action::What::generalized_done;
  a.label = label_of(call);
  a.key = r->operation;
  a.wave = r->call;
  perform(*mine, a);
}

const Request* WaitFeed::unready(const Process& process, const wait::OpState& op) {
  if (op.kind != wait::Kind::recv) return nullptr;
  Local& mine = locals_[process];
  if (static_cast<Proc>(op.label.proc) == Proc::grequest_start) {
    const Request* found = nullptr;
    process.requests.for_each([&](const Request& r) {
      const Entry* entry =
          r.kind == RequestKind::generalized ? mine.entries.find(r.operation) : nullptr;
      if (entry != nullptr && entry->recv == op.at) found = &r;
    });
    return found;
  }
  for (const auto& [pattern, started] : mine.persistent) {
    if (started.unready == 0) continue;
    const Entry* entry = mine.entries.find(started.key);
    if (entry != nullptr && entry->recv == op.at) return process.requests.find(started.raw);
  }
  return nullptr;
}

}  // namespace vouch
