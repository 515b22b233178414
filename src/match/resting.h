// Messages that wait to be received, in few bytes each.
//
// A sender may run millions of messages ahead of its receiver. Of such a message an Operation says
// much that its neighbours say as well: the call, its place, the datatype. So where many are in
// flight, sends that are decided rest: a batch takes the place of neighbours in their queue, what
// they have in common is kept once (SendKinds), and what is left of each is a RestingSend. It
// becomes an Operation again when it is the first of its queue and a receive is there.
//
// Beyond a limit the oldest are forgotten: how many there are is still known, and of neighbours
// that were alike what they said, but no longer what happened before each of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "match/clock.h"
#include "match/operation.h"

namespace vouch {

// What sends at rest have in common, counted by those who have it.
class SendKinds {
 public:
  static constexpr std::uint32_t kUnknown = 0;  // nothing is known but the envelope

  SendKinds() : entries_(1) {}
  // Its number; held once more.
  std::uint32_t hold(const Operation&);
  void hold(std::uint32_t kind) { ++entries_[kind].holders; }
  void let_go(std::uint32_t kind);
  // Makes the operation one of that kind.
  void fill(Operation&, std::uint32_t kind) const;
  Site site(std::uint32_t kind) const { return entries_[kind].kind.site; }
  std::size_t size() const { return numbers_.size(); }

 private:
  struct Kind {
    Proc proc = Proc::none;
    SendMode mode = SendMode::standard;
    std::uint8_t flags = 0;
    int thread = 0;
    Site site, posted;
    const Type* type = nullptr;
    bool operator==(const Kind&) const = default;
  };
  struct KindHash {
    std::size_t operator()(const Kind&) const;
  };
  struct Entry {
    Kind kind;
    TypeRef held;
    std::uint32_t holders = 0;
  };
  static Kind kind_of(const Operation&);

  std::vector<Entry> entries_;  // 0 is kUnknown
  std::vector<std::uint32_t> unused_;
  std::unordered_map<Kind, std::uint32_t, KindHash> numbers_;
  std::uint32_t latest_ = kUnknown;
};

struct RestingSend {
  std::uint64_t position = 0;
  MomentRef when;
  std::uint32_t seq = 0, count = 0, kind = SendKinds::kUnknown;
};
static_assert(sizeof(RestingSend) == 32);

// Neighbours in a queue, in the order of posting: first those that were forgotten.
class Batch {
 public:
  static constexpr std::size_t kMost = 128;  // at rest
  // Alike, one after the other.
  struct Forgotten {
    std::uint64_t number = 0;
    std::uint64_t position = 0;  // of the first
    std::uint32_t count = 0, kind = SendKinds::kUnknown;
  };

  bool empty() const { return forgotten_.empty() && resting() == 0; }
  bool full() const { return sends_.size() == kMost; }
  std::size_t resting() const { return sends_.size() - first_; }
  std::uint32_t kind() const { return sends_[first_].kind; }  // of the first at rest
  std::uint64_t position() const {                            // of its first
    return forgotten_.empty() ? sends_[first_].position : forgotten_.front().position;
  }
  void append(RestingSend send) { sends_.push_back(std::move(send)); }
  bool has_room_before() const { return forgotten_.empty() && (first_ > 0 || !full()); }
  void prepend(RestingSend);
  // Its first, which is held by whoever takes it. Of one that is forgotten only kind, count and,
  // roughly, position are known.
  struct Taken {
    RestingSend send;
    bool forgotten = false;
  };
  Taken take_first(SendKinds&);
  // All that are at rest; how many.
  std::size_t forget(SendKinds&);
  // What `earlier`, which stands right before and has nothing at rest, has forgotten.
  void take_over(Batch& earlier, SendKinds&);
  void reset() { *this = Batch(); }

 private:
  static constexpr std::size_t kRuns = 8;  // of forgotten ones that are alike
  void forget(const Forgotten&, SendKinds&);

  std::vector<RestingSend> sends_;
  std::size_t first_ = 0;
  std::vector<Forgotten> forgotten_;
};

}  // namespace vouch
