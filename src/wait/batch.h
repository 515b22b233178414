// Messages that wait to be received and that nobody waits for any more, in few bytes each.
//
// A send that its process has gone past without having met its receive is only a message: which
// operation it was, in case somebody asks. Where many operations are kept, such messages rest: a
// batch takes the place of neighbours in their queue. Beyond a limit (RestLimits) the oldest are
// forgotten: that they are there is still known.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wait/operation.h"

namespace vouch::wait {

struct RestingMessage {
  Index at = 0;
  Site site;
  std::uint16_t proc = 0;
  bool met = false;  // nobody is to be told when it is received
  Label label() const { return {proc, site}; }
};
static_assert(sizeof(RestingMessage) == 16);

// In the order of sending: first those that were forgotten.
struct Batch {
  static constexpr std::size_t kMost = 256;  // at rest

  std::vector<RestingMessage> messages;
  std::size_t first = 0;  // of the messages; the others are gone
  std::uint64_t forgotten = 0;
  std::uint64_t number = 0;  // in the order in which batches came to be

  std::size_t resting() const { return messages.size() - first; }
  bool empty() const { return forgotten == 0 && resting() == 0; }
  bool has_room_behind() const { return messages.size() < kMost; }
  bool has_room_before() const { return forgotten == 0 && (first > 0 || has_room_behind()); }
  void prepend(const RestingMessage& m) {
    if (first > 0) {
      messages[--first] = m;
    } else {
      messages.insert(messages.begin(), m);
    }
  }
  void reset() { *this = {}; }
};

}  // namespace vouch::wait
