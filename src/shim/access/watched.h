// Memory in which the program's loads and stores are of interest: windows, and what operations
// under way read or write.
//
// It is a filter. What it lets through too much is judged by the agent, which knows the bytes of
// each operation; so ranges are those of whole datatypes, gaps included, and an operation of which
// it is not clear that it is complete stays.

#pragma once

#include <cstdint>

#include "shim/core/paged.h"

namespace vouch::shim {

class WatchedMemory {
 public:
  static constexpr std::uint64_t kAllTargets = ~std::uint64_t{0};

  void expose(std::uint64_t window, std::uint64_t low, std::uint64_t high);
  void detach(std::uint64_t window, std::uint64_t low);
  // An operation of this window holds it until it is complete at the origin.
  void use(std::uint64_t window, std::uint64_t target, std::uint64_t low, std::uint64_t high);
  void complete_uses(std::uint64_t window, std::uint64_t target);
  void free_window(std::uint64_t window);

  // `variable`: where the program keeps the request. Persistent ones are not active yet.
  void hold(std::uint64_t request, std::uint64_t variable, std::uint64_t low, std::uint64_t high,
            bool persistent);
  void start(std::uint64_t request);
  void complete(std::uint64_t request, std::uint64_t variable);
  void forget(std::uint64_t request);
  bool has_request(std::uint64_t request);

  // Something is watched in [low, low + span); 0: nothing.
  std::uint64_t low() const { return low_; }
  std::uint64_t span() const { return high_ - low_; }
  // Whether a watched byte is among these; else the room around them in which there is none.
  bool meets(std::uint64_t address, std::uint64_t bytes, std::uint64_t& low, std::uint64_t& span);

 private:
  enum class Reason : std::uint8_t { exposed, used, held };
  struct Entry {
    std::uint64_t low, high, handle, other;  // other: the target, or the variable of the request
    Reason reason;
    bool active, persistent;
  };
  struct Range {
    std::uint64_t low, high;
  };
  void add(const Entry&);
  template <typename Which>
  void remove(Which);
  void sort();

  Paged<Entry> entries_;
  Paged<Range> ranges_;  // disjoint, in order, unless stale
  std::uint64_t low_ = 0, high_ = 0;
  bool stale_ = false;
};

}  // namespace vouch::shim
