// From the bytes of a process's rings to its events in the order in which they happened.
//
// Each thread has a lane. Records of all lanes carry one process-wide number; a record is taken
// when it is the next one, so a thread that ran ahead waits until the bytes of the others have
// come. A record whose number is already past is taken at once. Arrays that were too long for one
// record come before it in pieces (blobs) and are put together.
//
// What the bytes say is not trusted: each record is checked once, here (event/sound.h, and whether
// a leave record is that of its call), and what is malformed ends the lane, never the agent. They
// must be a copy that the application cannot write to (RecordCopy): nothing changes between the
// check and the use.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "event/event.h"
#include "event/sound.h"
#include "event/wire.h"

namespace vouch {

class Intake {
 public:
  struct Lane {
    int thread = 0;
    bool damaged = false;         // a record of it is malformed: nothing more is read
    std::vector<std::byte> blob;  // tails that wait for their record
  };

  std::size_t add_lane(int thread) {
    lanes_.push_back({thread, false, {}});
    return lanes_.size() - 1;
  }
  std::size_t lanes() const { return lanes_.size(); }
  const Lane& lane(std::size_t i) const { return lanes_[i]; }

  // Takes records from the front of `bytes` while they are due, about `limit` bytes at most, and
  // gives each to take(thread, event). That says whether to go on; nothing: always. Returns how
  // many bytes are done with; the rest must be offered again, after other lanes had their turn.
  enum class Next : std::uint8_t { go_on, stop, malformed };
  template <typename Take>
  std::size_t feed(std::size_t lane, std::span<const std::byte> bytes, std::size_t limit,
                   Take&& take);

  // The record at the front of `bytes`: its number.
  static bool front(std::span<const std::byte> bytes, std::uint32_t& seq);
  // The records before `seq` will not come any more: their thread died before it published them.
  void skip_to(std::uint32_t seq) { expected_ = seq; }
  std::uint32_t next() const { return expected_; }  // number of the next record
  // So many were taken without being looked at.
  void pass(std::uint64_t records, std::uint64_t bytes) {
    expected_ += static_cast<std::uint32_t>(records);
    records_ += records;
    bytes_ += bytes;
  }
  bool due(std::uint32_t seq) const { return static_cast<std::int32_t>(seq - expected_) <= 0; }

  // Whether a record's words and arrays lie within it.
  static bool sound(const wire::RecordHeader& header, const std::uint64_t* words,
                    const Lane& lane) {
    return vouch::sound(header, words, lane.blob);
  }

  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kHeader = sizeof(wire::RecordHeader);
  template <typename Take>
  static Next give(Take& take, int thread, const Event& event) {
    if constexpr (std::is_void_v<decltype(take(thread, event))>) {
      take(thread, event);
      return Next::go_on;
    } else {
      return take(thread, event);
    }
  }
  static bool is_blob(const wire::RecordHeader& header) {
    return header.phase == wire::Phase::meta &&
           header.proc == static_cast<std::uint16_t>(wire::Meta::blob);
  }
  static bool add_blob(Lane&, const std::uint64_t* words);  // false: too long

  std::vector<Lane> lanes_;
  std::uint32_t expected_ = 1;
  std::uint64_t records_ = 0, bytes_ = 0;
};

// Of the arrays of one call.
inline constexpr std::size_t kMostBlob = std::size_t{1} << 28;
// Blobs up to this size keep their memory for the next one.
inline constexpr std::size_t kKeepBlob = std::size_t{1} << 20;

template <typename Take>
std::size_t Intake::feed(std::size_t index, std::span<const std::byte> bytes, std::size_t limit,
                         Take&& take) {
  Lane& lane = lanes_[index];
  if (lane.damaged) return bytes.size();
  std::size_t done = 0;
  Next next = Next::go_on;
  while (next == Next::go_on && done < limit && done < bytes.size()) {
    const auto* header = reinterpret_cast<const wire::RecordHeader*>(bytes.data() + done);
    const auto* words = reinterpret_cast<const std::uint64_t*>(bytes.data() + done + kHeader);
    const std::size_t left = bytes.size() - done;
    const std::size_t size = kHeader + (left < kHeader ? 0 : std::size_t{header->words} * 8);
    const bool plain = size <= left && plainly_sound(*header);
    if (!plain && (size > left || !sound(*header, words, lane))) {
      next = Next::malformed;
      break;
    }
    if (!due(header->seq)) break;
    if (header->seq == expected_) ++expected_;
    ++records_;
    done += size;

    if (plain && lane.blob.empty()) [[likely]] {
      next = give(take, lane.thread, Event(header, words));
    } else if (is_blob(*header)) {
      if (!add_blob(lane, words)) next = Next::malformed;
    } else if ((header->flags & wire::kFlagBlob) != 0) {
      next = give(take, lane.thread, Event(header, words, lane.blob.data()));
      lane.blob.clear();
      if (lane.blob.capacity() > kKeepBlob) lane.blob.shrink_to_fit();
    } else {
      lane.blob.clear();  // if the record that the pieces belong to was lost, or its writer died
      next = give(take, lane.thread, Event(header, words));
    }
  }
  if (next == Next::malformed) {
    lane.damaged = true;
    lane.blob = {};
    done = bytes.size();
  }
  bytes_ += done;
  return done;
}

}  // namespace vouch
