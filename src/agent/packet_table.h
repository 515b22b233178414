// Who may send which packet, and when (packets.def).

#pragma once

#include <optional>

#include "agent/packets.h"
#include "agent/stage.h"

namespace vouch {

enum class Direction : std::uint8_t { to_root, from_root, any };

struct PacketRow {
  const char* name;
  Direction direction;
  JobStage first, last;  // of the receiver
};

// nullptr: there is no such packet.
const PacketRow* row_of(Packet);

// Whether the packet may come to agent `self` from agent `from` in this stage.
bool is_allowed(const PacketRow&, int self, int from, JobStage);

}  // namespace vouch
