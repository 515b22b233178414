// From the bytes of a process's rings to its events in the order in which they happened.
//
// Each thread has a lane. Records of all lanes carry one process-wide number; a record is taken
// when it is the next one, so a thread that ran ahead waits until the bytes of the others have
// come. A record whose number is already past is taken at once. Nothing is copied but the parts of
// arrays that were too long for one record (blobs).
//
// The bytes come from memory that the application can overwrite: what does not parse ends the lane,
// never the agent.

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
    bool damaged = false;         // its bytes are no records
    std::vector<std::byte> blob;  // tails that wait for their record
  };

  std::size_t add_lane(int thread) {
    lanes_.push_back({thread, false, {}});
    return lanes_.size() - 1;
  }
  std::size_t lanes() const { return lanes_.size(); }
  const Lane& lane(std::size_t i) const { return lanes_[i]; }

  // Takes records from the front of `bytes` while they are due, about `limit` bytes at most, and
  // gives each to take(thread, event); if that returns false it is the last one. Returns how many
  // bytes are done with; the rest must be offered again, after other lanes had their turn.
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
    return vouch::sound(header, words, lane.blob.size());
  }

  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kHeader = sizeof(wire::RecordHeader);
  template <typename Take>
  static bool go_on(Take& take, int thread, const Event& event) {
    if constexpr (std::is_void_v<decltype(take(thread, event))>) {
      take(thread, event);
      return true;
    } else {
      return take(thread, event);
    }
  }
  void add_blob(Lane&, const wire::RecordHeader&, const std::uint64_t* words);

  std::vector<Lane> lanes_;
  std::uint32_t expected_ = 1;
  std::uint64_t records_ = 0, bytes_ = 0;
};

// Blobs up to this size keep their memory for the next one.
inline constexpr std::size_t kKeepBlob = std::size_t{1} << 20;

template <typename Take>
std::size_t Intake::feed(std::size_t index, std::span<const std::byte> bytes, std::size_t limit,
                         Take&& take) {
  Lane& lane = lanes_[index];
  if (lane.damaged) return bytes.size();
  std::size_t done = 0;
  while (done < limit && done < bytes.size()) {
    const auto* header = reinterpret_cast<const wire::RecordHeader*>(bytes.data() + done);
    const auto* words = reinterpret_cast<const std::uint64_t*>(bytes.data() + done + kHeader);
    const std::size_t left = bytes.size() - done;
    const std::size_t size = kHeader + (left < kHeader ? 0 : std::size_t{header->words} * 8);
    if (size > left || !sound(*header, words, lane)) {
      lane.damaged = true;
      done = bytes.size();
      break;
    }
    if (!due(header->seq)) break;
    if (header->seq == expected_) ++expected_;
    ++records_;
    done += size;

    if (header->phase == wire::Phase::meta &&
        header->proc == static_cast<std::uint16_t>(wire::Meta::blob)) {
      add_blob(lane, *header, words);
    } else if ((header->flags & wire::kFlagBlob) == 0) [[likely]] {
      if (!go_on(take, lane.thread, Event(header, words))) break;
    } else {
      take(lane.thread, Event(header, words, lane.blob.data()));
      lane.blob.clear();
      if (lane.blob.capacity() > kKeepBlob) lane.blob.shrink_to_fit();
    }
  }
  bytes_ += done;
  return done;
}

}  // namespace vouch
