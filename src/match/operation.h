// One side of a message: what a send, a receive or a probe asked for.
//
// It lives from its posting until it has met its partner (or has turned out to be void) and carries
// what a finding needs.

#pragma once

#include <cstdint>
#include <new>

#include "base/ids.h"
#include "event/proc.h"
#include "event/wire.h"
#include "match/clock.h"
#include "model/datatype.h"

namespace vouch {

class Batch;
class Channel;
class Clocks;
class Exposures;
class SharedWindows;
struct Operation;
struct MessageQueue;
struct Wave;
struct Attendee;
struct Port;

enum class Hidden : std::uint8_t;  // hidden.h

enum class Role : std::uint8_t {
  send,
  recv,
  look,  // MPI_Probe, MPI_Iprobe: sees a message and leaves it there
};

// What an operation says, all of it plain values.
struct OperationFields {
  Role role = Role::send;
  SendMode mode = SendMode::standard;
  Proc proc = Proc::none;  // the user's call; of a persistent operation its _init call, of a probed
                           // one the receive
  std::uint32_t process = 0;  // index in World
  std::uint32_t seq =
      0;  // of the enter record of the call that posted it (MPI_Start for a persistent one)
  int thread = 0;
  Site site;    // of proc
  Site posted;  // MPI_Start or the probe, if it is not the site itself
  const Channel* channel = nullptr;
  int me = -1;                     // this side's rank in the communicator
  std::int64_t peer = 0, tag = 0;  // as the call said; wildcards in canonical form
  int source = -1, met_tag = -1;   // receive: of the message, once known
  std::int64_t count = 0;
  std::int64_t partitions = 0;  // of a partitioned one, else 0
  std::uint64_t number = 0;     // of another agent's: its position there
  const Type* type = nullptr;   // nullptr: not known (or a probe)
  bool poisoned = false;        // its call had a finding: say nothing more
  bool buffer_known = true;     // false: matched by a probe, not received yet
  bool cancel_asked = false;    // MPI_Cancel was called; whether it came in time is not known yet
  bool freed = false;           // its request was freed while active: its completion is never seen
  bool incomplete =
      false;          // at the end: its request was never completed, which is a finding of its own
  bool lost = false;  // a wildcard whose completion did not tell what it took

  bool blocking = false;  // the process does nothing else until it is over
  // Receive: its completion told the program who sent; came from a call that may return without it;
  // the program does not need it, since it tried to cancel it or freed its request.
  bool status_seen = false, polled = false, needless = false;
  bool looked = false;  // matched by a probe whose status told of it before it was received
  // Clocks: numbers of the points where it was posted and where a wildcard has surely matched, 0:
  // not noted.
  std::uint32_t issued = 0, matched = 0;

 protected:
  std::uint64_t position_ = 0;  // order of posting
  Port* port_ = nullptr;
  MessageQueue* queue_ = nullptr;
  Operation* next_ = nullptr;  // in its queue, or among the unresolved wildcards
  Operation* prev_ = nullptr;
  Operation* partner_ = nullptr;  // of a probed one that waits for its receive
  Batch* batch_ = nullptr;        // stands in its queue for these sends; itself it is none
  bool away_ = false;             // a send to a process of another agent
  bool decided_ = false;          // the library has taken it for good: neither failed nor cancelled
  bool unresolved_ = false;       // a wildcard, its message not known
};

struct Operation : OperationFields {
  // Clocks: the moment of its posting, the moment that waits for its partner.
  MomentRef when, in;

  std::uint64_t position() const { return position_; }  // order of posting within its process
  bool wildcard() const { return peer == wire::kAnySource || tag == wire::kAnyTag; }
  void hold(const TypeRef& ref) {
    type = ref.get();
    // Predefined types live as long as their process.
    if (ref != nullptr && ref->named == Constant::none) held_ = ref;
  }
  const TypeRef& held() const { return held_; }
  // Nothing is left of the one before. In place, since there are millions of them.
  void renew() { ::new (static_cast<void*>(static_cast<OperationFields*>(this))) OperationFields; }
  // It is over. Its fields stay until it is another one.
  void reset() {
    if (when) when.reset();
    if (in) in.reset();
    if (held_ != nullptr) held_.reset();
  }

 private:
  friend class Mailroom;
  friend struct OperationList;
  TypeRef held_;
};

// A send and the receive it met.
struct Match {
  const Operation& send;
  const Operation& recv;
  bool settled =
      false;  // only concluded at the end of the run: the receive was never seen to complete
};

// Why a message may have found no receive: what its destination asked for instead.
struct NearMiss {
  enum class What : std::uint8_t {
    none,
    order,         // this very envelope, but not often enough
    tag,           // from this source, with another tag
    communicator,  // this envelope on another communicator
    source,        // this tag, from another source
    broken,        // its receive had a finding or failed
  };
  What what = What::none;
  WorldRank rank;  // the destination, -1: not known
  Site site;
  Proc proc = Proc::none;
  std::int64_t peer = 0, tag = 0;
  const Channel* channel = nullptr;
};

// Who wants to know. Told in an order that depends on which rank's events came first; the facts
// themselves do not.
class MatchObserver {
 public:
  virtual ~MatchObserver() = default;
  // Which matches it is told of; asked before each.
  enum class Hears : std::uint8_t {
    none = 0,
    any_source = 1,  // of receivers that have asked for any source
    ready_sends = 2,
    all = 7,
  };
  bool hears(bool any_source, bool ready_send) const {
    const int match = 4 + any_source * 1 + ready_send * 2;
    return (static_cast<int>(hears_) & match) != 0;
  }
  void hear(Hears hears) { hears_ = hears; }
  // Before anything else, once.
  virtual void on_clocks(Clocks&) {}
  virtual void on_windows(SharedWindows&, Exposures&) {}
  virtual void on_match(const Match&) {}
  virtual void on_probe(const Match&) {}  // the probe (recv) saw the message (send), which stays
  // At the end: a send that nobody took, a partitioned side without the other.
  virtual void on_unmatched(const Operation&, const NearMiss&) {}
  // At the end: how many operations took no part, and why.
  virtual void on_left_alone(Hidden, std::uint64_t /*operations*/) {}
  // At the end: how many messages waited to be received when more than `most` did, so that little
  // is known of them; where one of them was sent.
  virtual void on_forgotten(std::uint64_t /*messages*/, std::uint64_t /*most*/, Site) {}
  // A collective: all members have called it; at the end: those that have.
  virtual void on_wave(const Wave&) {}
  // Collectives on an object that cannot be compared, and why.
  virtual void on_not_compared(Site, const char* /*why*/) {}

 private:
  Hears hears_ = Hears::all;
};

}  // namespace vouch
