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

#include "base/bytes.h"
#include "event/event.h"
#include "trace/format.h"

namespace vouch::trace {

std::string hex(std::uint64_t);  // "0x1f"

class Differences {
 public:
  void reset() { *this = Differences(); }
  // A record whose tails came separately is written as if they stood behind its words.
  void write(std::string&, int thread, const Event&);
  // `what` is the item's first byte, already read. False: that is no record.
  bool read(ByteReader&, std::uint8_t what, int& thread, wire::RecordHeader&,
            std::vector<std::uint64_t>& words);

  // Number of the words that write would give.
  static std::uint64_t words_of(const Event&);

  void write_call(std::string&, What, int thread, std::uint32_t seq);
  bool read_call(ByteReader&, int& thread, std::uint32_t& seq);

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
