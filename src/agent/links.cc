#include "agent/links.h"

namespace vouch {
namespace {

// The lowest agent of the tree below which all of them are.
int common_ancestor(const wait::Layout& layout, const World& world, const Members& members) {
  int common = -1;
  for (const int rank : members.list()) {
    int node = world.owner(WorldRank{rank});
    if (common < 0) common = node;
    while (common != node) {
      int& deeper = common > node ? common : node;
      deeper = layout.parent(deeper);
    }
  }
  return common < 0 ? 0 : common;
}

}  // namespace

Links::Links(Wire& wire, const MeshPlan& plan, int self, const LinkedParts& parts,
             RemoteRanks& remote)
    : waits_(wire, parts.sites, static_cast<int>(plan.layout.owners->size())),
      messages_(wire, waits_, parts.world, parts.facts),
      moments_(wire, parts.facts.clocks()),
      waves_(wire, waits_, messages_, parts.world, parts.facts),
      files_(wire, waits_, parts.world, parts.io) {
  parts.search.spread(self, plan.layout, waits_, remote);
  waits_.drive(&parts.search.node());
  const auto home = [&world = parts.world, layout = plan.layout](const Members& members) {
    return common_ancestor(layout, world, members);
  };
  parts.io.spread(&files_, home);
  parts.facts.spread(&messages_, &waves_, &moments_, home);
}

bool Links::take(int from, Packet packet, std::string_view bytes) {
  switch (packet) {
    case Packet::wait:
    case Packet::place:
    case Packet::group:
      return waits_.take(from, packet, bytes);
    case Packet::signature:
    case Packet::posted:
    case Packet::ended:
      return messages_.take(from, packet, bytes);
    case Packet::part:
      return waves_.take(from, bytes);
    case Packet::file:
      return files_.take(from, bytes);
    case Packet::moment:
    case Packet::met:
    case Packet::told:
      return moments_.take(from, packet, bytes);
    default:
      return false;
  }
}

void Links::tell_unsent(Sink& sink) const {
  if (messages_.unsent() > 0)
    sink.not_checked({"types of messages between nodes",
                      "too large to be compared",
                      messages_.unsent(),
                      {},
                      {}});
  if (waves_.unsent() > 0)
    sink.not_checked({"data of collectives between nodes",
                      "too many blocks to be compared",
                      waves_.unsent(),
                      {},
                      {}});
}

}  // namespace vouch
