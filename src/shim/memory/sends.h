// What pending sends read, by the handles of their requests, and a digest of it.
//
// A send buffer may not change between start and completion (MPI-4.1 3.7.2), so the digest at the
// end must be that at the start, whenever the end is seen. Libraries give the same handle to many
// requests that were complete at once; then the address of the request's variable tells which of
// them is meant, unless all of them are. Where it cannot be told, nothing is said.

#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "event/proc.h"
#include "shim/core/lib.h"

namespace vouch::shim {

struct RequestSlot {
  std::uint64_t handle, where;  // where: address of the variable
};

struct SentData {
  const void* buffer = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type{};  // ours, unless it is a named one: the user may free his
  bool named = false;
  std::uint64_t bytes = 0;
};

struct Sent {
  std::uint64_t handle = 0, variable = 0;
  Proc proc = Proc::none;
  std::uint32_t site = 0, param = 0;
  bool persistent = false;
  bool active = false;
  SentData data{};
  std::uint64_t digest = 0;
  std::uint32_t next = 0;
};

// Of what a send reads, as the elements of its type are; false: it cannot be read.
bool digest_of(const void* buffer, std::int64_t count, MPI_Datatype type, std::uint64_t& digest);

class Sends {
 public:
  using Tell = void (*)(Thread&, const Sent&);

  bool empty() const { return live_.load(std::memory_order_relaxed) == 0; }
  bool has(std::uint64_t handle);
  // `sent` without its data; active: it is pending now.
  void add(Sent sent, const void* buffer, std::int64_t count, MPI_Datatype type, bool active);
  void start(std::uint64_t handle, std::uint32_t site);
  // These requests are complete. Tells those whose data has changed.
  void complete(const RequestSlot*, std::uint64_t count, Tell, Thread&);
  void forget(std::uint64_t handle);
  // This memory is gone: what it held cannot be looked at any more.
  void forget_memory(std::uint64_t address, std::uint64_t bytes);
  // What the persistent sends with this handle read; at most four.
  int buffers(std::uint64_t handle, const void** to);

 private:
  static constexpr std::uint32_t kHeads = 4096;
  std::uint32_t& head(std::uint64_t handle) { return heads_[(handle * 0x9e3779b97f4a7c15u) >> 52]; }
  std::uint32_t new_entry();
  void drop(std::uint32_t* link);
  void finish(std::uint32_t* link, Tell, Thread&);

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<std::uint64_t> live_{0};
  Sent* entries_ = nullptr;  // 0 is none
  std::uint32_t used_ = 0, capacity_ = 0, unused_ = 0;
  std::uint32_t heads_[kHeads] = {};
};

}  // namespace vouch::shim
