#include "agent/packet_table.h"

#include <iterator>

namespace vouch {
namespace {

constexpr PacketRow kRows[] = {
#define VOUCH_PACKET(name, direction, first, last, handler) \
  {#name, Direction::direction, JobStage::first, JobStage::last},
#include "agent/packets.def"
#undef VOUCH_PACKET
};

}  // namespace

const PacketRow* row_of(Packet packet) {
  const auto i = static_cast<std::size_t>(type_of(packet) - type_of(Packet::wait));
  return type_of(packet) >= type_of(Packet::wait) && i < std::size(kRows) ? &kRows[i] : nullptr;
}

bool is_allowed(const PacketRow& row, int self, int from, JobStage stage) {
  if (stage < row.first || stage > row.last) return false;
  switch (row.direction) {
    case Direction::to_root:
      return self == 0;
    case Direction::from_root:
      return self != 0 && from == 0;
    case Direction::any:
      return true;
  }
  return false;
}

}  // namespace vouch
