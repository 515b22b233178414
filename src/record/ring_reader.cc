#include "record/ring_reader.h"

#include "record/futex.h"

namespace vouch {

Result<RingReader> RingReader::map(int fd, std::uint64_t ring_bytes) {
  RingReader reader;
  reader.map_ = map_ring(fd, ring_bytes);
  if (!reader.map_) return Error{"the memory of a ring cannot be mapped"};
  reader.position_ = reader.released_ = reader.head_ =
      reader.map_.header->tail.load(std::memory_order_relaxed);
  return reader;
}

RingReader& RingReader::operator=(RingReader&& other) noexcept {
  std::swap(map_, other.map_);
  std::swap(position_, other.position_);
  std::swap(released_, other.released_);
  std::swap(head_, other.head_);
  std::swap(corrupt_, other.corrupt_);
  return *this;
}

bool RingReader::record_at(std::uint64_t from, std::uint64_t to, Record& record) {
  if (to - from > map_.bytes || to - from < sizeof(wire::RecordHeader)) {
    corrupt_ = true;
    return false;
  }
  const std::byte* at = map_.data + (from & (map_.bytes - 1));
  const auto* header = reinterpret_cast<const wire::RecordHeader*>(at);
  if (sizeof(wire::RecordHeader) + std::uint64_t{header->words} * 8 > to - from) {
    corrupt_ = true;
    return false;
  }
  record = {header, reinterpret_cast<const std::uint64_t*>(at + sizeof(wire::RecordHeader))};
  return true;
}

bool RingReader::peek(Record& record) {
  if (corrupt_) return false;
  if (position_ == head_) {
    head_ = map_.header->head.load(std::memory_order_acquire);
    if (position_ == head_) return false;
  }
  return record_at(position_, head_, record);
}

bool RingReader::next(Record& record) {
  if (!peek(record)) return false;
  position_ += sizeof(wire::RecordHeader) + std::uint64_t{record.header->words} * 8;
  return true;
}

std::span<const std::byte> RingReader::bytes() {
  head_ = map_.header->head.load(std::memory_order_acquire);
  // Nobody else writes the tail; from a wrong one the writer takes that there is no room, or too
  // much.
  if (head_ - position_ > map_.bytes ||
      map_.header->tail.load(std::memory_order_relaxed) != released_)
    corrupt_ = true;
  if (corrupt_) return {};
  return {map_.data + (position_ & (map_.bytes - 1)), static_cast<std::size_t>(head_ - position_)};
}

void RingReader::release() {
  if (position_ == released_) return;
  released_ = position_;
  RingHeader& h = *map_.header;
  h.tail.store(position_, std::memory_order_release);
  std::atomic_thread_fence(
      std::memory_order_seq_cst);  // against the writer's: waits set, then tail looked at
  if (h.writer_waits.load(std::memory_order_relaxed) == 0) return;
  // Only when most of it is free: writer and reader do not hand over record by record, and where
  // there are not enough cores for all, ranks that wait do so together and leave theirs to us.
  if (h.head.load(std::memory_order_relaxed) - position_ > map_.bytes / 8) return;
  h.writer_waits.store(0, std::memory_order_relaxed);
  h.space.fetch_add(1, std::memory_order_release);
  futex_wake_all(h.space);
}

bool RingReader::tentative(std::span<const std::byte>& record) {
  const std::uint64_t head = map_.header->head.load(std::memory_order_acquire);
  const std::uint64_t end = map_.header->tentative.load(std::memory_order_acquire);
  if (corrupt_ || end <= head || end - head > map_.bytes || head % 8 != 0) return false;
  record = {map_.data + (head & (map_.bytes - 1)), static_cast<std::size_t>(end - head)};
  return true;
}

void RingReader::answer(std::uint32_t question, std::int64_t value) {
  Mailbox& box = map_.header->mailbox;
  box.value.store(value, std::memory_order_relaxed);
  box.answered.store(question, std::memory_order_release);
  futex_wake_all(box.answered);
}

void BellReader::wait(std::uint32_t seen, int milliseconds) {
  futex_wait(bell_.rings, seen, milliseconds);
}

}  // namespace vouch
