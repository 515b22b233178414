#include "record/ring_writer.h"

#include "record/futex.h"
#include "record/handshake.h"

namespace vouch {

namespace {
constexpr int kSliceMs = 100;  // between two looks whether the agent lives
constexpr std::uint64_t kStride = std::uint64_t{64} << 10;  // between two looks once half is full
}  // namespace

void RingWriter::look() {
  const std::uint64_t tail = map_.header->tail.load(std::memory_order_acquire);
  limit_ = tail + map_.bytes;
  wake_at_ = tail + map_.bytes / 2;
}

void RingWriter::ring_bell() {
  bell_->rings.fetch_add(1, std::memory_order_seq_cst);
  if (bell_->asleep.load(std::memory_order_seq_cst) != 0) futex_wake_all(bell_->rings);
}

void RingWriter::half_full() {
  if (gone_) return;
  look();
  if (map_.header->stop.load(std::memory_order_relaxed) != 0) return detach();
  if (head_ <= wake_at_) return;
  ring_bell();
  wake_at_ = head_ + kStride;
}

// A slice of waiting has passed: is there nobody to wait for?
bool RingWriter::in_vain(AgentWatch& watch) {
  RingHeader& h = *map_.header;
  if (h.stop.load(std::memory_order_relaxed) != 0 || !agent_lives(connection_)) {
    detach();
    return true;
  }
  const std::uint64_t progress =
      h.tail.load(std::memory_order_relaxed) + bell_->steps.load(std::memory_order_relaxed);
  if (!watch.gave_out(progress) && bell_->given_up.load(std::memory_order_relaxed) == 0)
    return false;
  bell_->given_up.store(1, std::memory_order_relaxed);
  h.gave_up.store(1, std::memory_order_release);
  detach();
  return true;
}

bool RingWriter::make_room(std::uint64_t bytes) {
  if (gone_ || bytes > map_.bytes / 2) return false;
  look();
  if (head_ + bytes <= limit_) return true;
  RingHeader& h = *map_.header;
  h.full_waits.fetch_add(1, std::memory_order_relaxed);
  AgentWatch watch(agent_, patience_ms_, kSliceMs);
  while (true) {
    const std::uint32_t seen = h.space.load(std::memory_order_acquire);
    h.writer_waits.store(1, std::memory_order_seq_cst);
    std::atomic_thread_fence(
        std::memory_order_seq_cst);  // against the reader's: tail moved, then waits looked at
    look();
    if (head_ + bytes <= limit_) break;
    ring_bell();
    futex_wait(h.space, seen, kSliceMs);
    if (h.space.load(std::memory_order_acquire) == seen && in_vain(watch)) return false;
  }
  h.writer_waits.store(0, std::memory_order_relaxed);
  return true;
}

bool RingWriter::ask(std::uint32_t question, std::int64_t& answer) {
  if (gone_) return false;
  Mailbox& box = map_.header->mailbox;
  box.asked.store(question, std::memory_order_release);
  ring_bell();
  AgentWatch watch(agent_, patience_ms_, kSliceMs);
  while (true) {
    const std::uint32_t answered = box.answered.load(std::memory_order_acquire);
    if (answered == question) break;
    futex_wait(box.answered, answered, kSliceMs);
    if (in_vain(watch)) return false;
  }
  answer = box.value.load(std::memory_order_relaxed);
  return true;
}

}  // namespace vouch
