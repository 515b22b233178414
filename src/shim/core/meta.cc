#include "shim/core/meta.h"

#include <cstring>

#include "shim/core/call.h"

namespace vouch::shim {

bool write_meta(Thread& t, wire::Meta meta, const std::uint64_t* words, std::uint32_t count,
                const Text* texts, std::uint32_t text_count) {
  publish_tentative(t);
  std::uint64_t total = count;
  for (std::uint32_t i = 0; i < text_count; ++i) total += 1 + (texts[i].length + 7) / 8;
  const std::uint64_t bytes = sizeof(wire::RecordHeader) + total * 8;
  wire::RecordHeader* record = t.ring.reserve(bytes);
  if (record == nullptr) return false;
  auto* word = reinterpret_cast<std::uint64_t*>(record + 1);
  if (count > 0) std::memcpy(word, words, count * 8);  // without words there is no array
  word += count;
  for (std::uint32_t i = 0; i < text_count; ++i) {
    const std::uint64_t padded = (texts[i].length + 7) / 8;
    *word++ = texts[i].length;
    if (padded > 0) {
      word[padded - 1] = 0;
      std::memcpy(word, texts[i].data, texts[i].length);
    }
    word += padded;
  }
  *record = {static_cast<std::uint16_t>(meta),  wire::Phase::meta, 0,
             static_cast<std::uint32_t>(total), take_seq(),        0};
  t.ring.publish(bytes);
  return true;
}

}  // namespace vouch::shim
