#include "analysis/thread/probes.h"

namespace vouch {

bool Probes::fits(const Seen& seen, const Call& call, const Share& share) {
  const Event enter = call.enter();
  if (enter.handle(share.comm) != seen.comm) return false;
  const std::int64_t source = enter.value(share.source), tag = enter.value(share.tag);
  return (source == wire::kAnySource || source == seen.source) &&
         (tag == wire::kAnyTag || tag == seen.tag);
}

bool Probes::enter(Process& process, const Call& call, const Share& share, Race& race) {
  if (share.source < 0 || share.probes) return false;
  std::vector<Seen>& threads = processes_[process];
  bool found = false;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    Seen& seen = threads[t];
    if (!seen.valid) continue;
    const Thread& owner = process.threads[t];
    if (seen.receive != 0 && owner.held != seen.receive) {  // it has received
      seen.valid = false;
      continue;
    }
    if (!fits(seen, call, share)) continue;
    if (static_cast<int>(t) == call.thread()) {
      seen.receive = call.held() ? call.seq() : 0;
      seen.valid = seen.receive != 0;
    } else if (seen.receive == 0) {
      seen.taken = true;
    } else if (!seen.taken && !found) {
      const auto& calls = owner.calls;
      race = {static_cast<int>(t), seen.site, seen.by,
              &calls[static_cast<std::size_t>(owner.depth > 0 ? owner.depth - 1 : 0)]};
      found = true;
    }
  }
  return found;
}

bool Probes::waits(const Process& process, int thread) const {
  const auto t = static_cast<std::size_t>(thread);
  const std::vector<Seen>* threads = processes_.find(process);
  return threads != nullptr && t < threads->size() && (*threads)[t].valid;
}

void Probes::leave(Process& process, const Call& call, const Share& share, const Event& leave) {
  if (!share.probes || leave.error_class() != 0) return;
  const ProcInfo& proc = call.info();
  if (const int flag = proc.at.flag; flag >= 0 && leave.result(flag) == 0) return;
  const Event enter = call.enter();
  Seen seen{true,
            false,
            0,
            enter.handle(share.comm),
            enter.value(share.source),
            enter.value(share.tag),
            call.site(),
            call.proc()};
  if (seen.source == wire::kProcNull) return;
  if (seen.source == wire::kAnySource || seen.tag == wire::kAnyTag) {
    if (leave.header().words == 0) return;
    const wire::Status status = leave.result_status(proc.at.status);
    if (status.source < 0 || status.tag < 0) return;
    seen.source = status.source;
    seen.tag = status.tag;
  }
  std::vector<Seen>& threads = processes_[process];
  const auto thread = static_cast<std::size_t>(call.thread());
  if (threads.size() <= thread) threads.resize(thread + 1);
  threads[thread] = seen;
}

}  // namespace vouch
