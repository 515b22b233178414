// When messages that wait to be received rest, in few bytes each, and how many may.

#pragma once

#include <cstddef>
#include <cstdint>

namespace vouch {

struct RestLimits {
  static constexpr std::uint64_t kMost = 10'000'000;

  std::size_t busy = std::size_t{1} << 14;  // operations in flight before any rests
  std::size_t fewest = 4;                   // neighbours that are worth a batch
  std::uint64_t most = kMost;               // at rest; beyond it the oldest are forgotten

  // Where so few may rest, those that could and do not yet would make a difference.
  static RestLimits of(std::uint64_t most) {
    RestLimits limits;
    limits.most = most;
    if (most < 4 * limits.busy) limits.busy = 0;
    return limits;
  }
};

}  // namespace vouch
