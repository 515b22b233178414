// Moments of other nodes in the clock of this one.
//
// Each node has a clock of its own, and what it sends comes later than it went. By how much the
// clocks differ is known no better than from the quickest of the messages that say when they went:
// that difference is added to all moments of the node alike, so that they keep their order. Clocks
// drift apart, so the last few messages count, not those of an hour ago.

#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>

namespace vouch {

class NodeClocks {
 public:
  using Clock = std::chrono::steady_clock;

  // That node said so at this moment of its clock; it came now.
  void heard(int node, Clock::time_point sent, Clock::time_point now) {
    Samples& samples = samples_[node];
    samples.late[samples.count++ % kSamples] = now - sent;
  }
  // A moment of that node's clock, here.
  Clock::time_point here(int node, Clock::time_point moment) const {
    const auto at = samples_.find(node);
    if (at == samples_.end()) return moment;
    const auto& late = at->second.late;
    const std::size_t known = std::min(at->second.count, kSamples);
    return moment + *std::min_element(late.begin(), late.begin() + known);
  }

 private:
  static constexpr std::size_t kSamples = 16;
  struct Samples {
    std::array<Clock::duration, kSamples> late{};
    std::size_t count = 0;
  };
  std::map<int, Samples> samples_;
};

}  // namespace vouch
