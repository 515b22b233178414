#include "agent/intake.h"

namespace vouch {

bool Intake::front(std::span<const std::byte> bytes, std::uint32_t& seq) {
  if (bytes.size() < kHeader) return false;
  seq = reinterpret_cast<const wire::RecordHeader*>(bytes.data())->seq;
  return true;
}

bool Intake::add_blob(Lane& lane, const std::uint64_t* words) {
  // The last piece may end between two words; arrays are read by words.
  const auto* data = reinterpret_cast<const std::byte*>(words + 1);
  lane.blob.insert(lane.blob.end(), data, data + (words[0] + 7) / 8 * 8);
  return lane.blob.size() <= kMostBlob;
}

}  // namespace vouch
