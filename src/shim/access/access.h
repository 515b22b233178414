// The loads and stores of a program that was built with `vouch cc`.
//
// Each module of the program that is instrumented tells libvouch.so of itself before main; this
// back end gives it the function that takes accesses, and says which memory is watched (watched.h).
// What a thread does there is collected per module (lane.h) and recorded before the next call of
// MPI that the process makes, whichever thread makes it: so what one thread has done before another
// one calls MPI comes before that call.
//
// In a program that has no such module nothing of this is reached.
//
// Misses: accesses in callbacks of the MPI library (there the library may hand out buffers of calls
// under way), in signal handlers that interrupt the recording, at the end of a thread after its
// thread-local storage was given back; one access of a thread that was stopped amid it while two
// calls of another one drained it; what another thread does to the buffer of a blocking call.

#pragma once

#include <cstdint>

#include "shim/access/module.h"
#include "shim/access/watched.h"
#include "shim/core/lib.h"

namespace vouch::shim {

// The process is attached: these modules came before.
void start_accesses(Thread&, AccessModule* const* modules);
// A module comes later, or goes.
void access_module(AccessModule*, bool comes);
bool accesses_seen();
// What all threads have done is recorded, before this one's call.
void write_accesses(Thread&);
// This thread of the program ends.
void stop_accesses();
// The child of a fork.
void accesses_in_child();

// Which memory of the process is watched, behind a lock. Whoever changes it makes a change visible
// by letting go of it.
class Watching {
 public:
  Watching();
  ~Watching();
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  WatchedMemory* operator->() const;

 private:
  std::uint32_t busy_;
};

// Hulls of what a call names.
struct Hull {
  std::uint64_t low = 0, high = 0;
  static bool is_memory(const void* buffer) {
    return buffer_address(buffer) < wire::kBufferAutomatic;
  }
  // The displacement in bytes, and in extents of the type.
  void add(const void* buffer, std::int64_t displacement, std::int64_t count, MPI_Datatype type);
  void add_at(const void* buffer, std::int64_t displacement, std::int64_t count, MPI_Datatype type);
};

}  // namespace vouch::shim
