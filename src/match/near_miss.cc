// What the destination of a lost message asked for instead.

#include "event/wire.h"
#include "match/mailroom.h"

namespace vouch {
namespace {

WorldRank member(const Members* group, std::int64_t rank) {
  return group == nullptr ? WorldRank{} : group->world(CommRank{static_cast<int>(rank)});
}

// The group a port's receives name their sources from. Of an inter-communicator seen from one side
// only: not known.
const Members* senders(const Port& port) {
  return port.channel->groups[port.channel->inter ? 1 - port.side : 0];
}

}  // namespace

NearMiss Mailroom::near_miss(const Operation& op) const {
  NearMiss best;
  if (op.role != Role::send) return best;
  const int side = op.channel->inter ? 1 - op.port_->side : 0;
  best.rank = member(op.channel->groups[side], op.peer);
  if (best.rank.value < 0) return best;
  const auto better = [&](NearMiss::What what, const Port& port, const Asked& asked) {
    if (best.what != NearMiss::What::none && best.what <= what) return;
    best.what = what;
    best.site = asked.site;
    best.proc = asked.proc;
    best.peer = asked.peer;
    best.tag = asked.tag;
    best.channel = port.channel;
  };
  for_each_port([&](const Port& port) {
    if (port.rank != best.rank) return;
    for (const Asked& asked : port.asked) {
      if (asked.proc == Proc::none) continue;
      const bool tag = asked.tag == wire::kAnyTag || asked.tag == op.tag;
      if (port.channel == op.channel) {
        const bool source = asked.peer == wire::kAnySource || asked.peer == op.me;
        if (source && tag)
          better(NearMiss::What::order, port, asked);
        else if (source)
          better(NearMiss::What::tag, port, asked);
        else if (tag)
          better(NearMiss::What::source, port, asked);
      } else if (tag) {
        const bool source =
            asked.peer == wire::kAnySource || member(senders(port), asked.peer) == op.port_->rank;
        if (source) better(NearMiss::What::communicator, port, asked);
      }
    }
  });
  for (const Broken& broken : broken_) {
    if (broken.rank != best.rank) continue;
    best.what = NearMiss::What::broken;
    best.site = broken.site;
    best.proc = broken.proc;
    break;
  }
  return best;
}

}  // namespace vouch
