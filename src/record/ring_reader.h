// The agent's end of a ring.
//
//     auto reader = RingReader::map(fd, hello.ring_bytes);
//     while (reader->next(record)) use(record);   // bytes stay valid until release()
//     reader->release();                          // makes room, wakes a writer that waits for it
//
// The memory belongs to a process that may be broken or hostile: what is read here is checked, and
// a malformed ring is `corrupt()` and yields nothing more. A ring may be read to its end
// after its writer died.
//
// Sequence numbers: every record of a process (enter, leave, meta, of all its threads) takes the
// next one, beginning with 1 and without a gap. The rings of a process are merged by waiting for
// the next number; a number that never comes means that the thread which took it was killed before
// it published.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/result.h"
#include "event/wire.h"
#include "record/ring.h"
#include "record/ring_map.h"

namespace vouch {

class RingReader {
 public:
  struct Record {
    const wire::RecordHeader* header = nullptr;
    const std::uint64_t* words = nullptr;
  };

  // The descriptor may be closed afterwards.
  static Result<RingReader> map(int fd, std::uint64_t ring_bytes);

  RingReader(RingReader&& other) noexcept { *this = std::move(other); }
  RingReader& operator=(RingReader&& other) noexcept;
  ~RingReader() { unmap_ring(map_); }

  // The next published record, if there is one.
  bool next(Record& record);
  // Looks at the same record without taking it.
  bool peek(Record& record);
  // The same in bulk: all bytes that are published and not taken; consume() takes from their front.
  std::span<const std::byte> bytes();
  void consume(std::size_t bytes) { position_ += bytes; }
  // Everything taken by next() or consume() is given back to the writer.
  void release();
  // The poll its writer is inside (RingHeader::tentative), if any: bytes that should be its record.
  // Its seq is 0. Meaningful when the writer stands still: blocked, or dead.
  bool tentative(std::span<const std::byte>& record);
  // Answers the question that the rank asked last (RingHeader::mailbox).
  void answer(std::uint32_t question, std::int64_t value);

  bool corrupt() const { return corrupt_; }
  bool closed() const { return map_.header->closed.load(std::memory_order_acquire) != 0; }
  bool gave_up() const { return map_.header->gave_up.load(std::memory_order_acquire) == 1; }
  std::uint64_t unread_bytes() const {
    return map_.header->head.load(std::memory_order_acquire) - position_;
  }
  std::uint64_t half() const { return map_.bytes / 2; }  // from here on its writer rings the bell
  RingHeader& header() { return *map_.header; }
  const RingHeader& header() const { return *map_.header; }

 private:
  RingReader() = default;
  bool record_at(std::uint64_t from, std::uint64_t to, Record& record);

  RingMap map_;
  std::uint64_t position_ = 0;  // taken up to here
  std::uint64_t released_ = 0;  // given back up to here
  std::uint64_t head_ = 0;      // published up to here, as last seen
  bool corrupt_ = false;
};

// The agent's end of the bell.
class BellReader {
 public:
  explicit BellReader(Bell& bell) : bell_(bell) {}
  // Sleeps until a rank rings or the time is over. `idle` is asked once more after the ranks can
  // see that we sleep: false means that work has come in between.
  template <typename Idle>
  void sleep(int milliseconds, Idle idle);

 private:
  void wait(std::uint32_t seen, int milliseconds);
  Bell& bell_;
};

template <typename Idle>
void BellReader::sleep(int milliseconds, Idle idle) {
  const std::uint32_t seen = bell_.rings.load(std::memory_order_relaxed);
  bell_.asleep.store(1, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (idle()) wait(seen, milliseconds);
  bell_.asleep.store(0, std::memory_order_relaxed);
}

}  // namespace vouch
