// Between the heap hooks (libvouch_heap.so, preloaded only with --check-buffers) and the back end.
//
// The hooks know every live block of the heap by its bounds. The back end asks for the block around
// an address that a call names; from then on the block is *told*, and its end is reported.

#pragma once

#include <cstdint>

namespace vouch {

struct HeapBlock {
  std::uint64_t address, bytes;
  const void* caller;  // return address of the call that made it
};
enum class HeapAnswer : int { unknown, first, again };  // first: it was not told before
using HeapFreed = void (*)(const HeapBlock&, const void* caller);

// What libvouch_heap.so exports besides malloc and its kin, found by name.
using HeapFind = HeapAnswer (*)(const void* address, HeapBlock*);
using HeapWatch = void (*)(HeapFreed);
inline constexpr const char* kHeapFind = "vouch_heap_find";
inline constexpr const char* kHeapWatch = "vouch_heap_watch";

}  // namespace vouch
