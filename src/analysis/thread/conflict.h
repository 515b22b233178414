// What two calls of different threads may share and must not, if nothing orders them.
//
// Said for each procedure once (Share), from the table of procedures; compared only for pairs of
// which it is known that nothing orders them.

#pragma once

#include <cstdint>

#include "model/process.h"

namespace vouch {

struct Share {
  enum class Use : std::uint8_t { none, completes, starts, frees };
  bool counts = false;  // a call that belongs to a thread: not MPI_Initialized, MPI_Wtime …
  Use use = Use::none;  // of its requests
  bool waits = false;   // completes, and does not come back before
  std::int8_t request = -1;
  std::int8_t freed = -1;    // object other than a request
  std::int8_t ordered = -1;  // collective: the object whose members must agree on the order
  std::int8_t comm = -1, source = -1, tag = -1;  // receives and probes
  std::int8_t dest = -1, sendtag = -1;           // sends
  bool probes = false;                           // looks at a message and leaves it there
};
Share share_of(Proc);

// A request that both complete, start or free. nullptr: none, or one that cannot be told from
// another with the same handle.
const Request* shared_request(const Process&, const Call&, const Share&, const Call&, const Share&);

// The object that one frees and the other uses; the first call frees it.
const Object* freed_and_used(const Process&, const Call& frees, const Share&, const Call& uses);

// Both are collectives that must be ordered on the same object.
bool same_order(const Process&, const Call&, const Share&, const Call&, const Share&);

// Both send with one envelope.
bool same_sends(const Call&, const Share&, const Call&, const Share&);
// Both ask for messages, and one may fit both.
bool same_receives(const Call&, const Share&, const Call&, const Share&);

// Calls f(raw) for each request of the call.
template <typename F>
void for_each_request(const Call& call, const Share& share, F&& f) {
  const Event enter = call.enter();
  if (!call.info().params[static_cast<std::size_t>(share.request)].is_array())
    return f(enter.handle(share.request));
  const ArrayView all = enter.array(share.request);
  for (std::uint64_t i = 0; i < all.size(); ++i) f(static_cast<std::uint64_t>(all[i]));
}

}  // namespace vouch
