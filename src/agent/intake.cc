#include "agent/intake.h"

namespace vouch {

bool Intake::front(std::span<const std::byte> bytes, std::uint32_t& seq) {
  if (bytes.size() < kHeader) return false;
  seq = reinterpret_cast<const wire::RecordHeader*>(bytes.data())->seq;
  return true;
}

void Intake::add_blob(Lane& lane, const wire::RecordHeader&, const std::uint64_t* words) {
  const auto* data = reinterpret_cast<const std::byte*>(words + 1);
  lane.blob.insert(lane.blob.end(), data, data + words[0]);
}

}  // namespace vouch
