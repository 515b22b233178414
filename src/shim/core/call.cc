#include "shim/core/call.h"

#include <sys/mman.h>

#include <cstring>

#include "event/traits.h"
#include "shim/access/access.h"
#include "shim/core/forked.h"
#include "shim/core/lib.h"
#include "shim/core/meta.h"
#include "shim/core/paths.h"
#include "shim/crowd/crowd.h"
#include "shim/guided/guided.h"

namespace vouch::shim {

namespace {

constexpr std::uint64_t kHeader = sizeof(wire::RecordHeader);
constexpr std::uint64_t kBlobChunk = 16 << 10;

constexpr std::uint64_t wire_size(Elem elem) {
  switch (elem) {
    case Elem::chars:
      return 1;
    case Elem::ints:
      return 4;
    case Elem::words:
    case Elem::numbers:
    case Elem::handles:
      return 8;
    case Elem::statuses:
      return sizeof(wire::Status);
  }
  return 8;
}

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

// Writes elements [from, from + count) of a tail; returns bytes written, padding included.
std::uint64_t convert(std::byte* to, const Tail& tail, std::uint64_t from, std::uint64_t count) {
  const std::uint64_t bytes = count * wire_size(tail.elem);
  if (bytes % 8 != 0) std::memset(to + (bytes & ~std::uint64_t{7}), 0, 8);
  if (tail.elem == Elem::statuses) {
    decode_statuses(reinterpret_cast<wire::Status*>(to), tail.data, from, count, tail.source != 0);
  } else if (tail.elem == Elem::numbers) {
    const auto* ints = static_cast<const int*>(tail.data) + from;
    auto* words = reinterpret_cast<std::uint64_t*>(to);
    for (std::uint64_t i = 0; i < count; ++i) words[i] = tail.canonical(ints[i]);
  } else if (tail.elem == Elem::handles && tail.source == 4) {
    const auto* handles = static_cast<const std::uint32_t*>(tail.data) + from;
    auto* words = reinterpret_cast<std::uint64_t*>(to);
    for (std::uint64_t i = 0; i < count; ++i) words[i] = handles[i];
  } else if (bytes > 0) {  // an array of no elements may be null
    std::memcpy(to, static_cast<const std::byte*>(tail.data) + from * wire_size(tail.elem), bytes);
  }
  return padded(bytes);
}

std::uint64_t bytes_of(const Tail* tails, std::uint32_t count) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    total += padded(tails[i].length * wire_size(tails[i].elem));
  return total;
}

bool is_users(const SiteEntry& site) {
  return site.caller() != Caller::library && site.caller() != Caller::glue;
}

// Open MPI's Fortran glue converts its handles before it calls the C entry, and the library stops
// the process in that conversion while MPI is not up. So the stashed call is recorded here, without
// its arguments: that it was made at all is what is wrong with it.
bool converts_outside(Proc proc) {
  if (vouch_tls.proc == 0 || mpi_users.load(std::memory_order_relaxed) != 0) return false;
  return has_trait(proc, Trait::from_fortran);
}

// MPICH's mpi_f08 describes an array section that is not contiguous by a datatype of its own, made
// before the call that uses it (whose stash still stands then) and freed behind it.
bool describes_section(Proc proc) {
  if (proc == Proc::type_free) return vouch_tls.caller != nullptr;
  return has_trait(proc, Trait::section) && vouch_tls.proc != 0;
}

constexpr std::uint32_t kMostWords = 48;  // of an enter record without arrays

}  // namespace

void Call::record_stashed(void* frame) {
  const Proc proc = static_cast<Proc>(vouch_tls.proc);
  Call stashed;
  if (!stashed.watch_stashed(proc, frame)) return;
  if (std::uint64_t* w = stashed.reserve(kMostWords)) {
    std::memset(w, 0, kMostWords * 8);
    stashed.enter(w, proc, kMostWords);  // and stays open: whether it returns is not ours to see
  }
}

// What a function of the user ends with that the library has called: the delete function of an
// attribute frees its own key, an error handler ends the job. Functions of the library itself that
// it calls by address (its file code does) end in other procedures.
static bool ends_callback(Proc proc) {
  return proc == Proc::comm_free_keyval || proc == Proc::type_free_keyval ||
         proc == Proc::win_free_keyval || proc == Proc::abort;
}

bool Call::watch_slow(Proc proc, void* caller) {
  thread_ = nullptr;
  Thread* t = this_thread();
  if (t == nullptr) {
    if (forked.load(std::memory_order_relaxed) != 0) {
      // Before the procedure that a Fortran stub has noted the library's glue converts its handles.
      const bool stashed = vouch_tls.proc == static_cast<std::uint32_t>(proc);
      if (stashed || vouch_tls.proc == 0)
        called_in_child(proc, stashed ? vouch_tls.caller : caller);
      if (stashed) vouch_tls.proc = 0;
    }
    return false;
  }
  const std::uint64_t before = t->inside;
  if ((before & 1) !=
      0) {  // we are inside a signal handler that interrupted the writing of a record
    lose(*t, wire::LossReason::reentered);
    return false;
  }
  // Here, since nobody calls it twice from one place.
  if (proc == Proc::abort) note_end();
  if (t->checked == proc) {
    caller = const_cast<void*>(t->checked_caller);
    t->checked = Proc::none;
  }
  if (converts_outside(proc)) record_stashed(reinterpret_cast<void*>(frame_));
  t->inside = before | 1;
  flags_ = 0;
  SiteEntry site = find_site(*t, caller);
  bool event = site.caller() != Caller::library &&
               (site.caller() != Caller::callback || (before != 0 && ends_callback(proc)));
  if (site.caller() == Caller::glue) {
    event = vouch_tls.proc == static_cast<std::uint32_t>(proc);
    const bool section = !event && describes_section(proc);
    if (event) vouch_tls.proc = 0;
    event = event || section;
    if (event) {
      flags_ = wire::kFlagFortran;
      site = find_site(*t, vouch_tls.caller);
      event = is_users(site);
    }
  }
  if (!event) {
    t->inside = before;
    return false;
  }
  site_ = site.number();
  if (site.caller() == Caller::python || site.caller() == Caller::callback) {
    const std::uint32_t line = python_site(*t);
    if (line != 0) site_ = line;
  } else if (site.caller() == kByPath) {
    site_ = path_site(*t, frame_, site.address, site_);
  }
  t->last_site = site_;
  // Not in a callback: there the call around it is still open.
  if (t->slow != 0 && before == 0) write_accesses(*t);
  return begin(*t, before);
}

bool Call::watch_stashed(Proc proc, void* frame) {
  thread_ = nullptr;
  Thread* t = this_thread();
  const bool stashed = vouch_tls.proc == static_cast<std::uint32_t>(proc);
  vouch_tls.proc = 0;
  if (t == nullptr && stashed && forked.load(std::memory_order_relaxed) != 0)
    called_in_child(proc, vouch_tls.caller);
  if (t == nullptr || !stashed) return false;
  const std::uint64_t before = t->inside;
  if ((before & 1) != 0) {
    lose(*t, wire::LossReason::reentered);
    return false;
  }
  t->inside = before | 1;
  frame_ = reinterpret_cast<std::uint64_t>(frame);
  flags_ = wire::kFlagFortran;
  const SiteEntry site = find_site(*t, vouch_tls.caller);
  site_ = site.number();
  if (!is_users(site)) {  // one Fortran entry calling another
    t->inside = before;
    return false;
  }
  if (site.caller() == kByPath) site_ = path_site(*t, frame_, site.address, site_);
  // Not in a callback: there the call around it is still open.
  if (t->slow != 0 && before == 0) write_accesses(*t);
  return begin(*t, before);
}

bool Call::begin(Thread& t, std::uint64_t before) {
  outer_ = 0;
  if (before != 0) {
    // Deeper on the stack than an open call: a callback. Else that call was left by a jump (an
    // exception, longjmp).
    if (frame_ < before) {
      flags_ |= wire::kFlagCallback;
      outer_ = before;
      publish_tentative(t);
    } else {
      t.tentative_call = nullptr;
      t.ring.clear_tentative();
    }
  }
  thread_ = &t;
  t.inside = frame_ | 1;
  return true;
}

void Call::not_recorded() {
  lose(*thread_,
       thread_->ring.gone() ? wire::LossReason::agent_gone : wire::LossReason::record_too_large);
  thread_->inside = outer_;
  thread_ = nullptr;
}

void Call::send_blobs(const Tail* tails, std::uint32_t count) {
  Thread& t = *thread_;
  const std::uint64_t chunk = kBlobChunk < t.max_record / 2 ? kBlobChunk : t.max_record / 2;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t elements = chunk / wire_size(tails[i].elem) & ~std::uint64_t{7};
    for (std::uint64_t from = 0; from < tails[i].length; from += elements) {
      const std::uint64_t left = tails[i].length - from;
      const std::uint64_t n = left < elements ? left : elements;
      const std::uint64_t bytes = padded(n * wire_size(tails[i].elem));
      wire::RecordHeader* record = t.ring.reserve(kHeader + 8 + bytes);
      if (record == nullptr) return;
      auto* words = reinterpret_cast<std::uint64_t*>(record + 1);
      words[0] = bytes;
      convert(reinterpret_cast<std::byte*>(words + 1), tails[i], from, n);
      *record = {static_cast<std::uint16_t>(wire::Meta::blob), wire::Phase::meta, 0,
                 static_cast<std::uint32_t>(1 + bytes / 8),    take_seq(),        0};
      t.ring.publish(kHeader + 8 + bytes);
    }
  }
}

std::uint64_t* Call::reserve(std::uint32_t words, const Tail* tails, std::uint32_t count) {
  const std::uint64_t bytes = bytes_of(tails, count);
  scratch_mark_ = UINT64_MAX;
  blob_ = kHeader + words * 8 + bytes > thread_->max_record;
  if (blob_) {
    send_blobs(tails, count);
    flags_ |= wire::kFlagBlob;
  }
  return reserve(words + (blob_ ? 0 : static_cast<std::uint32_t>(bytes / 8)));
}

std::uint32_t Call::fill(std::uint64_t* w, Proc proc, std::uint32_t words, const Tail* tails,
                         std::uint32_t count) {
  put_header(w, proc, words, 0);
  auto* to = reinterpret_cast<std::byte*>(w + words);
  for (std::uint32_t i = 0; i < count; ++i) w[tails[i].word] = 0;
  thread_->filling =
      words;  // from here to the end the handler of a fault may publish what is there
  std::atomic_signal_fence(std::memory_order_seq_cst);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!blob_) to += convert(to, tails[i], 0, tails[i].length);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    w[tails[i].word] = tails[i].length;
  }
  thread_->filling = 0;
  return static_cast<std::uint32_t>((reinterpret_cast<std::uint64_t*>(to) - w));
}

// There are several threads.
void Call::enter_among(std::uint64_t* w, Proc proc, std::uint32_t words) {
  Thread& t = *thread_;
  const Hold how = (flags_ & wire::kFlagCallback) == 0 ? shall_hold(t, proc, site_) : Hold::none;
  if (how != Hold::none) flags_ |= wire::kFlagHeld;
  seq_ = take_seq();
  put_header(w, proc, words, seq_);
  flags_ &= ~std::uint32_t{wire::kFlagHeld};
  t.ring.publish_entered(sizeof(wire::RecordHeader) + words * 8, seq_);
  t.entered = seq_;
  __atomic_store_n(&t.inside, frame_, __ATOMIC_RELEASE);
  look_around(t, proc);
  if (how != Hold::none) hold(t, proc, how, seq_);
}

void Call::enter_poll(std::uint64_t* w, Proc proc, std::uint32_t words) {
  Thread& t = *thread_;
  put_header(w, proc, words, 0);
  const auto* record = w - 2;
  const bool fits = words <= kPollWords && (flags_ & wire::kFlagBlob) == 0;
  const std::uint64_t bytes = kHeader + words * 8;
  // Who repeats a run must know between which calls there were polls.
  const auto& entered = t.ring.header().entered;
  const bool row = !guiding() || t.poll_entered == entered.load(std::memory_order_relaxed);
  if (row && fits && t.poll_words == words + 2 && std::memcmp(t.poll, record, bytes) == 0) {
    t.tentative_bytes = static_cast<std::uint32_t>(bytes);
    t.tentative_call = this;
    t.ring.set_tentative(bytes);
    t.inside = frame_;
    if (process.multi.load(std::memory_order_relaxed) != 0) look_around(t, proc);
    return;
  }
  t.poll_words = fits ? words + 2 : 0;
  if (fits) std::memcpy(t.poll, record, bytes);
  enter(w, proc, words);
  t.poll_entered = entered.load(std::memory_order_relaxed);
  tell_polls(t);
}

void tell_polls(Thread& t) {
  const std::uint64_t polls = t.ring.header().polls.load(std::memory_order_relaxed);
  if (polls == t.polls_told) return;
  const std::uint64_t words[] = {polls - t.polls_told};
  Busy busy(t);
  if (write_meta(t, wire::Meta::polls, words, 1)) t.polls_told = polls;
}

void publish_tentative(Thread& t) {
  Call* call = t.tentative_call;
  if (call == nullptr) return;
  t.tentative_call = nullptr;
  wire::RecordHeader* record = t.ring.reserve(t.tentative_bytes);
  if (record == nullptr) return;
  call->seq_ = record->seq = t.entered = take_seq();
  t.ring.publish_entered(t.tentative_bytes, record->seq);
  t.ring.clear_tentative();
}

bool Call::settle_poll(bool quiet) {
  Thread& t = *thread_;
  if (t.tentative_call != this) {
    if (!quiet) tell_polls(t);  // something else has published it
    return false;
  }
  if (!quiet) {
    t.inside |= 1;
    publish_tentative(t);
    tell_polls(t);
    return false;
  }
  t.tentative_call = nullptr;
  t.ring.clear_tentative();
  auto& polls = t.ring.header().polls;
  polls.store(polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  t.inside = outer_;
  thread_ = nullptr;
  return true;
}

std::uint64_t* Call::reserve_leave(std::uint32_t words, const Tail* tails, std::uint32_t count) {
  Thread& t = *thread_;
  t.inside = frame_ | 1;
  const std::uint64_t bytes = bytes_of(tails, count);
  blob_ = kHeader + words * 8 + bytes > t.max_record;
  if (blob_) send_blobs(tails, count);
  wire::RecordHeader* record = t.ring.reserve(kHeader + words * 8 + (blob_ ? 0 : bytes));
  if (record == nullptr) {
    lose(t, t.ring.gone() ? wire::LossReason::agent_gone : wire::LossReason::record_too_large);
    return nullptr;
  }
  return reinterpret_cast<std::uint64_t*>(record + 1);
}

void Call::leave(std::uint64_t* w, Proc proc, std::uint32_t words, const Tail* tails,
                 std::uint32_t count) {
  auto* to = reinterpret_cast<std::byte*>(w + words);
  for (std::uint32_t i = 0; i < count; ++i) {
    w[tails[i].word] = tails[i].length;
    if (!blob_) to += convert(to, tails[i], 0, tails[i].length);
  }
  const auto total = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t*>(to) - w);
  auto* record = reinterpret_cast<wire::RecordHeader*>(w) - 1;
  const auto flags = static_cast<std::uint8_t>((flags_ & ~std::uint32_t{wire::kFlagBlob}) |
                                               (blob_ ? wire::kFlagBlob : 0));
  *record = {static_cast<std::uint16_t>(proc), wire::Phase::leave, flags, total, take_seq(), seq_};
  thread_->ring.publish(kHeader + total * 8);
}

void Call::failed(Proc proc, int error_class) {
  if (std::uint64_t* w = reserve_leave(1)) {
    w[0] = static_cast<std::uint64_t>(error_class);
    leave(w, proc, 1);
  }
}

void* Call::scratch(std::uint64_t bytes) {
  Scratch& s = thread_->scratch;
  bytes = (bytes + 63) & ~std::uint64_t{63};
  if (outer_ == 0 && scratch_mark_ == UINT64_MAX)
    s.used = 0;  // a call left by a jump did not give it back
  if (s.used + bytes > s.size) {
    if (s.used != 0) return nullptr;
    const std::uint64_t size = (bytes * 2 + 0xffff) & ~std::uint64_t{0xffff};
    void* fresh = pages(size);
    if (fresh == nullptr) return nullptr;
    if (s.base != nullptr) ::munmap(s.base, s.size);
    s = {static_cast<std::byte*>(fresh), 0, size};
  }
  if (scratch_mark_ == UINT64_MAX) scratch_mark_ = s.used;
  void* at = s.base + s.used;
  s.used += bytes;
  return at;
}

void Call::release_scratch() {
  if (scratch_mark_ != UINT64_MAX) thread_->scratch.used = scratch_mark_;
  scratch_mark_ = UINT64_MAX;
}

}  // namespace vouch::shim
