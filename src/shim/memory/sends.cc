#include "shim/memory/sends.h"

#include <sys/mman.h>

#include <climits>
#include <cstring>

#include "shim/core/runtime.h"

namespace vouch::shim {

namespace {

constexpr std::uint64_t kPackBytes = 1 << 20;

std::uint64_t mix(std::uint64_t digest, const void* data, std::uint64_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  std::uint64_t word;
  for (; bytes >= 8; at += 8, bytes -= 8) {
    std::memcpy(&word, at, 8);
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    digest ^= digest >> 32;
  }
  word = bytes;
  std::memcpy(&word, at, bytes);
  digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
  return digest ^ digest >> 32;
}

// The bytes of a datatype are the library's to find: holes are nobody's business.
bool digest_packed(const SentData& data, int size, std::uint64_t& digest) {
  int up = 0, down = 0;
  real.initialized(&up);
  real.finalized(&down);
  if (up == 0 || down != 0) return false;
  const std::uint64_t element = static_cast<std::uint64_t>(size) + 4096;  // and what a library adds
  const std::uint64_t room = element > kPackBytes ? element : kPackBytes;
  if (room > INT_MAX) return false;
  const auto at_once = static_cast<std::int64_t>(room / element);
  void* packed = pages(room);
  if (packed == nullptr) return false;
  MPI_Aint lower = 0, extent = 0;
  real.type_get_extent(data.type, &lower, &extent);
  bool fine = true;
  for (std::int64_t done = 0; fine && done < data.count; done += at_once) {
    const std::int64_t left = data.count - done;
    int position = 0;
    const auto* from = reinterpret_cast<const char*>(address(data.buffer) +
                                                     static_cast<std::uint64_t>(done * extent));
    fine = real.pack(from, static_cast<int>(left < at_once ? left : at_once), data.type, packed,
                     static_cast<int>(room), &position, known.comm_self) == MPI_SUCCESS;
    if (fine) digest = mix(digest, packed, static_cast<std::uint64_t>(position));
  }
  ::munmap(packed, room);
  return fine;
}

bool digest_of(SentData& data, std::uint64_t& digest) {
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  if (real.type_size(data.type, &size) != MPI_SUCCESS || size <= 0) return false;
  real.type_get_extent(data.type, &lower, &extent);
  data.bytes = static_cast<std::uint64_t>(data.count) * static_cast<std::uint64_t>(size);
  digest = 0x243f6a8885a308d3u;
  if (!data.named || extent != size) return digest_packed(data, size, digest);
  digest = mix(digest, data.buffer, data.bytes);
  return true;
}

bool is_named(MPI_Datatype type, bool& named) {
  int integers, addresses, types, combiner;
  if (real.type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
    return false;
  named = combiner == MPI_COMBINER_NAMED;
  return true;
}

}  // namespace

bool digest_of(const void* buffer, std::int64_t count, MPI_Datatype type, std::uint64_t& digest) {
  SentData data{buffer, count, type, false, 0};
  return is_named(type, data.named) && digest_of(data, digest);
}

std::uint32_t Sends::new_entry() {
  if (unused_ != 0) {
    const std::uint32_t i = unused_;
    unused_ = entries_[i].next;
    return i;
  }
  if (used_ + 1 >= capacity_) {
    const std::uint32_t wanted = capacity_ == 0 ? 1024 : capacity_ * 2;
    void* memory = pages(wanted * sizeof(Sent));
    if (memory == nullptr) return 0;
    if (entries_ != nullptr) {
      std::memcpy(memory, entries_, capacity_ * sizeof(Sent));
      ::munmap(entries_, capacity_ * sizeof(Sent));
    }
    entries_ = static_cast<Sent*>(memory);
    capacity_ = wanted;
  }
  return ++used_;
}

void Sends::add(Sent sent, const void* buffer, std::int64_t count, MPI_Datatype type, bool active) {
  if (count <= 0) return;
  bool named = false;
  if (!is_named(type, named)) return;
  sent.data = {buffer, count, type, named, 0};
  sent.active = active;
  if (active && !digest_of(sent.data, sent.digest)) return;
  if (!sent.data.named && real.type_dup(type, &sent.data.type) != MPI_SUCCESS) return;
  Lock lock(mutex_);
  const std::uint32_t i = new_entry();
  if (i == 0) return;
  std::uint32_t& first = head(sent.handle);
  sent.next = first;
  entries_[i] = sent;
  first = i;
  live_.fetch_add(1, std::memory_order_relaxed);
}

void Sends::drop(std::uint32_t* link) {
  const std::uint32_t i = *link;
  Sent& sent = entries_[i];
  if (!sent.data.named) real.type_free(&sent.data.type);
  *link = sent.next;
  sent.next = unused_;
  unused_ = i;
  live_.fetch_sub(1, std::memory_order_relaxed);
}

// Looks at the data of one that is complete.
void Sends::finish(std::uint32_t* link, Tell tell, Thread& thread) {
  Sent& sent = entries_[*link];
  std::uint64_t now = 0;
  if (digest_of(sent.data, now) && now != sent.digest) tell(thread, sent);
  sent.active = false;
  if (!sent.persistent) drop(link);
}

bool Sends::has(std::uint64_t handle) {
  Lock lock(mutex_);
  for (std::uint32_t i = head(handle); i != 0; i = entries_[i].next) {
    if (entries_[i].handle == handle && entries_[i].active) return true;
  }
  return false;
}

int Sends::buffers(std::uint64_t handle, const void** to) {
  Lock lock(mutex_);
  int n = 0;
  for (std::uint32_t i = head(handle); i != 0 && n < 4; i = entries_[i].next) {
    if (entries_[i].handle == handle && entries_[i].persistent) to[n++] = entries_[i].data.buffer;
  }
  return n;
}

void Sends::start(std::uint64_t handle, std::uint32_t site) {
  Lock lock(mutex_);
  for (std::uint32_t i = head(handle); i != 0; i = entries_[i].next) {
    Sent& sent = entries_[i];
    if (sent.handle != handle || !sent.persistent) continue;
    sent.site = site;
    sent.active = digest_of(sent.data, sent.digest);
  }
}

void Sends::complete(const RequestSlot* slots, std::uint64_t count, Tell tell, Thread& thread) {
  Lock lock(mutex_);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t handle = slots[k].handle;
    std::uint64_t pending = 0, meant = 0;
    for (std::uint32_t i = head(handle); i != 0; i = entries_[i].next)
      pending += entries_[i].handle == handle && entries_[i].active;
    if (pending == 0) continue;
    if (pending == 1) {
      meant = 1;
    } else {
      for (std::uint64_t j = k; j < count; ++j) meant += slots[j].handle == handle;
    }
    const bool all = meant >= pending;
    bool found = all;
    for (std::uint32_t* link = &head(handle); *link != 0;) {
      Sent& sent = entries_[*link];
      const std::uint32_t here = *link;
      const bool this_one = sent.handle == handle && sent.active;
      if (this_one && (all || sent.variable == slots[k].where)) {
        finish(link, tell, thread);
        found = true;
      }
      if (*link == here) link = &entries_[here].next;
    }
    if (found) continue;
    for (std::uint32_t* link = &head(handle); *link != 0;) {
      Sent& sent = entries_[*link];
      if (sent.handle == handle && !sent.persistent) {
        drop(link);
      } else {
        if (sent.handle == handle) sent.active = false;
        link = &sent.next;
      }
    }
  }
}

void Sends::forget(std::uint64_t handle) {
  Lock lock(mutex_);
  for (std::uint32_t* link = &head(handle); *link != 0;) {
    if (entries_[*link].handle == handle) {
      drop(link);
    } else {
      link = &entries_[*link].next;
    }
  }
}

void Sends::forget_memory(std::uint64_t at, std::uint64_t bytes) {
  if (empty()) return;
  Lock lock(mutex_);
  for (std::uint32_t& first : heads_) {
    for (std::uint32_t* link = &first; *link != 0;) {
      Sent& sent = entries_[*link];
      const bool gone = address(sent.data.buffer) - at < bytes;
      if (gone && !sent.persistent) {
        drop(link);
        continue;
      }
      if (gone) sent.active = false;
      link = &sent.next;
    }
  }
}

}  // namespace vouch::shim
