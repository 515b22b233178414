// Memory of a ring: a header page and a data area that is mapped twice back to back.
//
// Both sides map the same memfd. There is no file name, so nothing is left behind when the last
// mapping goes. Nothing here allocates or throws: the writer's side runs inside somebody else's
// program.

#pragma once

#include <cstddef>
#include <cstdint>

#include "record/ring.h"

namespace vouch {

struct RingMap {
  RingHeader* header = nullptr;  // nullptr: not mapped
  std::byte* data = nullptr;     // 2 * bytes; the second half shows the first again
  std::uint64_t bytes = 0;       // of the data area, a power of two

  explicit operator bool() const { return header != nullptr; }
};

// The largest ring of at most `bytes`, and at least a page, that ulimit -f allows.
std::uint64_t fitting_ring_bytes(std::uint64_t bytes);
// A new memfd of the right size with a zeroed header, or -1. `bytes` is a power of two of at least
// one page.
int make_ring_memory(std::uint64_t bytes);
// Maps it. The result is empty if the kernel refuses, or if the memory is smaller than `bytes`
// says.
RingMap map_ring(int fd, std::uint64_t bytes);
void unmap_ring(RingMap&);

// The bell: one page, made by the agent, and perhaps a plan of so many bytes behind it.
int make_bell_memory(std::uint64_t plan_bytes = 0);
Bell* map_bell(int fd);
// The plan: to be written by the agent before any rank comes; nullptr: there is none.
std::byte* map_plan(int fd, std::uint64_t bytes, bool write);

}  // namespace vouch
