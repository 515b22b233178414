#include "net/frame.h"

#include <utility>

namespace vouch::net {

std::optional<Frame> read_frame(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.byte() != kVersion) return std::nullopt;
  Frame frame;
  frame.lane = static_cast<Lane>(in.byte_below(kLanes));
  frame.first = in.number();
  const std::size_t count = in.count(2);
  frame.packets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Packet p;
    p.type = in.byte();
    p.bytes = in.string();
    frame.packets.push_back(p);
  }
  if (!in.done()) return std::nullopt;
  return frame;
}

void Outbox::add(Type type, std::string_view bytes) {
  if (batches_.empty() || batches_.back().bytes.size() + bytes.size() > kFrameBytes)
    batches_.emplace_back();
  Batch& batch = batches_.back();
  const std::size_t before = batch.bytes.size();
  ByteWriter out(batch.bytes);
  out.byte(type);
  out.string(bytes);
  ++batch.count;
  bytes_ += batch.bytes.size() - before;
}

std::string Outbox::take(Lane lane) {
  const Batch batch = std::move(batches_.front());
  batches_.pop_front();
  bytes_ -= batch.bytes.size();
  std::string frame;
  frame.reserve(batch.bytes.size() + 16);
  ByteWriter out(frame);
  out.byte(kVersion);
  out.byte(static_cast<std::uint8_t>(lane));
  out.number(number_);
  out.number(batch.count);
  out.raw(batch.bytes);
  number_ += batch.count;
  return frame;
}

void Outbox::clear() {
  batches_.clear();
  bytes_ = 0;
}

}  // namespace vouch::net
