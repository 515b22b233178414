// The rank's end of a ring.
//
//     if (auto* record = writer.reserve(bytes)) { fill(record); writer.publish(bytes); }
//
// reserve() and publish() are a handful of instructions while there is room; everything else is in
// ring_writer.cc. When the ring is full the writer sleeps until the agent has drained most of it.
// When the agent is gone, wants no more, or has done nothing for too long (agent_watch.h),
// reserve() gives nullptr forever: the application goes on unobserved. Runs inside somebody else's
// program: no allocation, no exception, no output.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "event/wire.h"
#include "record/agent_watch.h"
#include "record/ring.h"
#include "record/ring_map.h"

namespace vouch {

class RingWriter {
 public:
  // `connection` tells whether the agent lives, `agent` (its process) whether it does anything.
  void open(const RingMap& map, Bell* bell, int connection, int agent = 0,
            int patience_ms = kPatienceMs) {
    map_ = map;
    agent_ = agent;
    patience_ms_ = patience_ms;
    bell_ = bell;
    connection_ = connection;
    gone_ = false;
    mask_ = map.bytes - 1;
    head_ = map.header->head.load(std::memory_order_relaxed);
    look();
  }

  // Room for a record of so many bytes (a multiple of 8, at most a quarter of the ring), or
  // nullptr.
  wire::RecordHeader* reserve(std::uint64_t bytes) {
    if (head_ + bytes > limit_) [[unlikely]] {
      if (!make_room(bytes)) return nullptr;
    }
    return reinterpret_cast<wire::RecordHeader*>(map_.data + (head_ & mask_));
  }

  void publish(std::uint64_t bytes) {
    const std::uint64_t head = head_ + bytes, wake_at = wake_at_;
    head_ = head;
    map_.header->head.store(head, std::memory_order_release);
    if (head > wake_at) [[unlikely]]
      half_full();
  }
  // The same for the enter record of a call.
  void publish_entered(std::uint64_t bytes, std::uint32_t seq) {
    const std::uint64_t head = head_ + bytes, wake_at = wake_at_;
    RingHeader& h = *map_.header;
    head_ = head;
    h.entered.store(seq, std::memory_order_relaxed);
    h.head.store(head, std::memory_order_release);
    prefetch(head);
    if (head > wake_at) [[unlikely]]
      half_full();
  }

  // A record stands behind the head but is not published: visible if this process dies now.
  void set_tentative(std::uint64_t bytes) {
    map_.header->tentative.store(head_ + bytes, std::memory_order_release);
  }
  void clear_tentative() { map_.header->tentative.store(0, std::memory_order_relaxed); }

  RingHeader& header() { return *map_.header; }
  const RingMap& map() const { return map_; }
  bool gone() const { return gone_; }
  // Takes no record any more. The mapping stays.
  void detach() {
    gone_ = true;
    limit_ = wake_at_ = 0;
  }
  void close() { map_.header->closed.store(1, std::memory_order_release); }

  // For a signal handler that interrupted this very writer: continues behind what is published.
  void resync() { head_ = map_.header->head.load(std::memory_order_relaxed); }

  // Asks the agent; the question is the record published last. Sleeps until it answers; false if it
  // is gone, or does nothing.
  bool ask(std::uint32_t question, std::int64_t& answer);

 private:
  // The lines of the records after the next one: the reader had them last, and fetching them while
  // the MPI library works hides most of what a record costs.
  void prefetch(std::uint64_t head) const {
    const std::byte* next = map_.data + (head & mask_) + 64;
#ifdef __x86_64__
    asm volatile("prefetchw %0\n\tprefetchw %1" : : "m"(next[0]), "m"(next[64]));
#else
    __builtin_prefetch(next, 1);
    __builtin_prefetch(next + 64, 1);
#endif
  }
  void look();
  bool make_room(std::uint64_t bytes);
  void half_full();
  void ring_bell();
  bool in_vain(AgentWatch&);

  std::uint64_t head_ = 0;     // published up to here
  std::uint64_t limit_ = 0;    // may be written up to here; 0: nothing
  std::uint64_t wake_at_ = 0;  // from here on see whether the agent sleeps
  std::uint64_t mask_ = 0;
  RingMap map_;
  Bell* bell_ = nullptr;
  int connection_ = -1;
  int agent_ = 0, patience_ms_ = kPatienceMs;
  bool gone_ = true;
};

}  // namespace vouch
