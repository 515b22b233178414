// A blocking send reads a buffer that a pending receive may write.
//
// MPI-4.1 3.7.2 forbids it. But if the message for the receive is sent only after this send was
// received, or has returned, it cannot come while the buffer is read: a request to which the
// awaited message is the answer. That is erroneous by the letter and harmless [U56]. It
// is proved by the clocks, once the receive has met.

#include "analysis/buffer/buffer.h"

namespace vouch {

bool BufferUse::can_be_early(const Call& call, const Region& r, Proc of,
                             const PendingOperation& o) {
  if (r.writes || of != call.proc() || o.partitioned) return false;
  const ProcInfo& about = call.info();
  const Proc base = about.base;
  if (!about.has(kBlocking) || (base != Proc::send && base != Proc::ssend && base != Proc::rsend))
    return false;
  return info(o.proc).base == Proc::recv;
}

void BufferUse::settle_early(const Match& match) {
  const auto found = early_.find(std::uint64_t{match.recv.process} << 32 | match.recv.seq);
  if (found == early_.end()) return;
  for (Early& e : found->second) e.when = match.send.when;
  if (!match.send.when || !match.send.when->known()) return;
  for (const Early& e : found->second) tell_early(e);
  early_.erase(found);
}

void BufferUse::tell_early(const Early& e) {
  Report report = e.report;
  if (e.when && e.when->known() && e.when->knows(e.process, e.number)) {
    report.severity = Severity::warning;
    report.cause = "harmless";
    report.message += "; the message that it waits for can only come after this call";
  }
  sink_.report(std::move(report));
}

void BufferUse::finish_early() {
  for (const auto& [receive, all] : early_) {
    for (const Early& e : all) tell_early(e);
  }
  early_.clear();
}

}  // namespace vouch
