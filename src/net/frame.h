// What goes over a link at once: messages of one lane, one behind the other.
//
//   u8 version | u8 lane | number of the first message in its channel and lane | count
//   count times: u8 type | length | bytes
//
// The sender is not named: the key that opened the link tells it. The running number shows that
// nothing was lost or overtaken. Many messages go in one frame, since encrypting and waking costs
// far more than a message's twenty bytes.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace vouch::net {

// Raised with every change of what any message looks like.
inline constexpr std::uint8_t kVersion = 1;

enum class Lane : std::uint8_t {
  urgent,   // handled first, always let through: it makes room
  regular,  // as much as the receiver has room for
};
inline constexpr std::size_t kLanes = 2;

using Type = std::uint8_t;
// Below are the mesh's own (mesh.h); its users number theirs from here on.
inline constexpr Type kFirstUserType = 32;

struct Packet {
  Type type = 0;
  std::string_view bytes;
};

struct Frame {
  Lane lane = Lane::urgent;
  std::uint64_t first = 0;
  std::vector<Packet> packets;  // they point into the frame's bytes
};

// Nothing: it is no frame of this version, from the first byte to the last.
std::optional<Frame> read_frame(std::string_view);

// Packets of one lane that wait to be sent.
class Outbox {
 public:
  void add(Type, std::string_view bytes);
  bool empty() const { return batches_.empty(); }
  std::size_t bytes() const { return bytes_; }
  // The next frame, with about kFrameBytes at most unless one packet is larger.
  std::string take(Lane);
  void clear();

  static constexpr std::size_t kFrameBytes = 16 << 10;

 private:
  struct Batch {
    std::string bytes;
    std::uint64_t count = 0;
  };
  std::deque<Batch> batches_;
  std::size_t bytes_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace vouch::net
