// Records as few bytes.
//
// A program calls the same procedures with nearly the same arguments again and again. So a record
// is written as its difference to the last one of its procedure and phase in this chunk: for every
// eight words a byte that says which have changed, then the changes, short ones in one byte.
// Writer and reader keep the same memory and start each chunk with an empty one.

#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/varint.h"
#include "event/event.h"
#include "trace/format.h"

namespace vouch::trace {

using Bytes = std::vector<std::byte>;

// ---- numbers ----
inline void put(Bytes& out, std::uint64_t value) {
  put_varint(value, [&](std::uint8_t b) { out.push_back(static_cast<std::byte>(b)); });
}
inline void put_signed(Bytes& out, std::int64_t value) { put(out, zigzag(value)); }
void put_text(Bytes& out, std::string_view);
std::string hex(std::uint64_t);  // "0x1f"

// Reads a payload. After something that does not fit, `good` is false and all is 0.
struct Cursor {
  std::span<const std::byte> rest;
  bool good = true;

  bool empty() const { return rest.empty() || !good; }
  std::uint64_t get();
  std::int64_t get_signed() { return unzigzag(get()); }
  std::uint8_t get_byte();
  std::string_view get_text();
  void spoil() {
    good = false;
    rest = {};
  }
};

// ---- records ----
class Differences {
 public:
  void reset() { *this = Differences(); }
  // A record whose tails came separately is written as if they stood behind its words.
  void write(Bytes&, int thread, const Event&);
  // `what` is the item's first byte, already read. False: that is no record.
  bool read(Cursor&, std::uint8_t what, int& thread, wire::RecordHeader&,
            std::vector<std::uint64_t>& words);

  // Number of the words that write would give.
  static std::uint64_t words_of(const Event&);

  void write_call(Bytes&, What, int thread, std::uint32_t seq);
  bool read_call(Cursor&, int& thread, std::uint32_t& seq);

 private:
  static constexpr std::size_t kSlots = 64, kWords = 24;
  struct Slot {
    std::uint32_t site = 0;
    std::array<std::uint64_t, kWords> words{};
  };
  Slot& slot(std::uint16_t proc, What what) {
    return slots_[(proc * 2u + static_cast<unsigned>(what)) % kSlots];
  }
  std::array<Slot, kSlots> slots_{};
  std::uint32_t seq_ = 0;
};

}  // namespace vouch::trace
