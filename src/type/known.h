// Comparisons that were made before: derived types meet the same partners again and again.

#pragma once

#include <array>
#include <cstdint>

#include "base/hash.h"
#include "type/compare.h"

namespace vouch {

class KnownComparisons {
 public:
  // compare(), of n × what was sent with m × what is received. Valid until the next call.
  const Comparison& look(const SignatureRef& sent, std::uint64_t n, const SignatureRef& received,
                         std::uint64_t m) {
    if (sent->children.empty() && received->children.empty() && sent->atom == received->atom)
      return latest_ = compare(sent, n, received, m);
    const auto part = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
    Known& k =
        known_[scatter(scatter(scatter(part(sent.get())) ^ part(received.get())) ^ n ^ (m << 32)) %
               kKnown];
    if (k.sent != sent || k.received != received || k.n != n || k.m != m)
      k = {sent, received, n, m, compare(sent, n, received, m)};
    return k.result;
  }

 private:
  struct Known {
    SignatureRef sent, received;
    std::uint64_t n = 0, m = 0;
    Comparison result;
  };
  static constexpr std::size_t kKnown = 256;
  std::array<Known, kKnown> known_;
  Comparison latest_;
};

}  // namespace vouch
