// One call of the user, from entry to return: the path that every wrapper takes.
//
//     Call call;
//     if (call.watch(Proc::send, CALLER, FRAME)) {
//       if (auto* w = call.reserve(6)) { w[0] = …; call.enter(Proc::send, 6); }
//     }
//     const int rc = real.send(…);
//     if (call.open()) { …a leave record where it is needed…; call.left(); }
//
// Everything up here is inline and free of system calls, locks, allocation and strings; what
// happens seldom (a new site, a Fortran or Python caller, a call from within a callback, arrays) is
// in call.cc.

#pragma once

#include <cstdint>

#include "event/proc.h"
#include "event/wire.h"
#include "shim/core/runtime.h"
#include "shim/core/sites.h"

#define VOUCH_CALLER __builtin_return_address(0)
#define VOUCH_FRAME __builtin_frame_address(0)

namespace vouch::shim {

// Elements of an array in the form in which they travel.
enum class Elem : std::uint8_t { chars, ints, words, numbers, handles, statuses };

struct Tail {
  const void* data;      // nullptr: none
  std::uint64_t length;  // elements
  Elem elem;
  std::uint8_t
      source;  // handles: bytes of one in the user's array; statuses: their error fields are set
  std::uint8_t word;                         // of the record: where its length stands
  std::uint64_t (*canonical)(std::int64_t);  // numbers: ints that may be named constants
};

// The program has started a thread: each return is recorded, so that what another thread does
// after it comes after it in the records, too.
inline bool among_threads() { return process.crowd.threaded.load(std::memory_order_relaxed); }

class Call {
 public:
  // Whether this call is an event. From here to enter() the thread is busy.
  [[gnu::always_inline]] bool watch(Proc proc, void* caller, void* frame) {
    auto* const t = static_cast<Thread*>(vouch_tls.thread);
    const SiteTable* const sites = process.sites;
    const auto address = reinterpret_cast<std::uint64_t>(caller);
    const SiteEntry& e = sites->entries[sites->slot(address)];
    const std::uint64_t value = e.value;
    frame_ = reinterpret_cast<std::uint64_t>(frame);
    if (t != nullptr && e.address == address && value >> 32 == 0 && (t->inside | t->slow) == 0)
        [[likely]] {
      t->inside = frame_ | 1;
      thread_ = t;
      outer_ = 0;
      site_ = static_cast<std::uint32_t>(value);
      flags_ = 0;
      return true;
    }
    return watch_slow(proc, caller);
  }

  // The same for a Fortran entry that has no C entry behind it: the caller is the one that the stub
  // stashed.
  bool watch_stashed(Proc proc, void* frame);

  // Words of the enter record, or nullptr: then the call is lost and no longer watched.
  [[gnu::always_inline]] std::uint64_t* reserve(std::uint32_t words) {
    wire::RecordHeader* record = thread_->ring.reserve(sizeof(wire::RecordHeader) + words * 8);
    if (record == nullptr) [[unlikely]] {
      not_recorded();
      return nullptr;
    }
    return reinterpret_cast<std::uint64_t*>(record + 1);
  }
  // With arrays: arrays that do not fit into one record are sent ahead. fill() copies them after
  // the words were written; until then their lengths are 0, so that a fault while reading them
  // leaves a record that makes sense.
  std::uint64_t* reserve(std::uint32_t words, const Tail* tails, std::uint32_t count);
  std::uint32_t fill(std::uint64_t* w, Proc proc, std::uint32_t words, const Tail* tails,
                     std::uint32_t count);

  [[gnu::always_inline]] void enter(std::uint64_t* w, Proc proc, std::uint32_t words) {
    if (process.multi.load(std::memory_order_relaxed) != 0) return enter_among(w, proc, words);
    Thread* const t = thread_;
    const std::uint32_t seq = take_seq_alone();
    seq_ = seq;
    put_header(w, proc, words, seq);
    t->ring.publish_entered(sizeof(wire::RecordHeader) + words * 8, seq);
    t->inside = frame_;
  }
  // A poll: published only if it differs from this thread's last one, else it stands behind the
  // head.
  void enter_poll(std::uint64_t* w, Proc proc, std::uint32_t words);
  // After a poll returned. True: nothing happened, the call is done with.
  bool settle_poll(bool quiet);

  bool open() const { return thread_ != nullptr; }
  // This process is a copy of the one whose call it is: the rest is recorded there.
  void disown() { thread_ = nullptr; }
  Thread& thread() { return *thread_; }
  bool fortran() const { return (flags_ & wire::kFlagFortran) != 0; }

  // Words of the leave record (word 0 is the caller's to fill), or nullptr.
  std::uint64_t* reserve_leave(std::uint32_t words, const Tail* tails = nullptr,
                               std::uint32_t count = 0);
  void leave(std::uint64_t* w, Proc proc, std::uint32_t words, const Tail* tails = nullptr,
             std::uint32_t count = 0);
  // A leave record of nothing but the error class, 0 if all is well.
  void failed(Proc proc, int error_class);

  [[gnu::always_inline]] void left() {
    Thread* const t = thread_;
    const std::uint64_t outer = outer_;
    t->ring.header().left.store(seq_, std::memory_order_release);
    t->inside = outer;
  }

  // Memory for statuses nobody wanted, until the call is left.
  void* scratch(std::uint64_t bytes);
  void release_scratch();

 private:
  friend void publish_tentative(Thread&);

  bool watch_slow(Proc proc, void* caller);
  void enter_among(std::uint64_t* w, Proc proc, std::uint32_t words);
  static void record_stashed(void* frame);
  bool begin(Thread& t, std::uint64_t before);
  void not_recorded();
  void send_blobs(const Tail* tails, std::uint32_t count);

  // The header of an enter record as its two words.
  [[gnu::always_inline]] void put_header(std::uint64_t* w, Proc proc, std::uint32_t words,
                                         std::uint32_t seq) {
    static_assert(static_cast<int>(wire::Phase::enter) == 0);
    w[-2] = (static_cast<std::uint64_t>(words) << 32 | static_cast<std::uint16_t>(proc)) |
            static_cast<std::uint64_t>(flags_) << 24;
    w[-1] = seq | static_cast<std::uint64_t>(site_) << 32;
  }

  // All set by watch(), but what only arrays need.
  Thread* thread_;
  std::uint64_t frame_;
  std::uint64_t outer_;  // Thread::inside before this call
  std::uint32_t seq_;
  std::uint32_t site_;
  std::uint32_t flags_;  // of the record
  bool blob_;            // the arrays of this record went ahead
  std::uint64_t scratch_mark_;
};

// A poll that waits behind the head is published: something else is going to be.
void publish_tentative(Thread&);
// Polls that were only counted are told: behind the enter record of the call that ends the row.
void tell_polls(Thread&);

}  // namespace vouch::shim
