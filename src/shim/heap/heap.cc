// The heap of the application, seen from its door: malloc and its kin, passed on to whoever
// provides them.
//
// A program with an allocator of its own (in the executable, or preloaded before us) is not seen
// here or is seen before its allocator; either way its blocks stay its own. Nothing is added to a
// block and no block is kept back. The child of a fork goes on unobserved.

#include "shim/heap/heap.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "shim/heap/blocks.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

namespace vouch {
namespace {

// The next allocator's functions.
struct Next {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
} next;

// What dlsym itself allocates while we look for the next allocator. Never given back.
alignas(16) char spare[16384];
std::size_t spare_used;
bool resolving;

bool is_spare(const void* p) { return p >= spare && p < spare + sizeof(spare); }

void* from_spare(std::size_t bytes) {
  const std::size_t rounded = (bytes + 15) & ~std::size_t{15};
  if (rounded < bytes || rounded > sizeof(spare) - spare_used) return nullptr;
  void* at = spare + spare_used;
  spare_used += rounded;
  return at;
}

template <typename F>
void look_up(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// The first allocation comes before there are threads.
bool ready() {
  if (next.free != nullptr) return true;
  if (resolving) return false;
  resolving = true;
  look_up(next.malloc, "malloc");
  look_up(next.calloc, "calloc");
  look_up(next.realloc, "realloc");
  look_up(next.posix_memalign, "posix_memalign");
  look_up(next.aligned_alloc, "aligned_alloc");
  look_up(next.memalign, "memalign");
  look_up(next.free, "free");
  resolving = false;
  return next.free != nullptr;
}

Blocks blocks;
HeapFreed on_freed;

void* made(void* at, std::size_t bytes, const void* caller) {
  if (at != nullptr) blocks.add(at, bytes, caller);
  return at;
}

void tell_freed(const HeapBlock& block, const void* caller) {
  const HeapFreed tell = __atomic_load_n(&on_freed, __ATOMIC_ACQUIRE);
  const int error = errno;
  if (tell != nullptr) tell(block, caller);
  errno = error;
}

void drop(void* at, const void* caller) {
  HeapBlock block;
  if (at != nullptr && blocks.take(at, block) == HeapAnswer::again) tell_freed(block, caller);
}

void* resize(void* at, std::size_t bytes, const void* caller) {
  if (!ready()) return from_spare(bytes);
  if (is_spare(at)) {
    void* moved = made(next.malloc(bytes), bytes, caller);
    const std::size_t room =
        static_cast<std::size_t>(spare + sizeof(spare) - static_cast<char*>(at));
    if (moved != nullptr) std::memcpy(moved, at, bytes < room ? bytes : room);
    return moved;
  }
  // It leaves the table first: once it is freed another thread may get the same address.
  HeapBlock old;
  const HeapAnswer was = at == nullptr ? HeapAnswer::unknown : blocks.take(at, old);
  void* now = next.realloc(at, bytes);
  if (now == nullptr && bytes != 0) {
    if (was != HeapAnswer::unknown) blocks.add(at, old.bytes, old.caller);
    return nullptr;
  }
  made(now, bytes, caller);
  if (was != HeapAnswer::again) return now;
  if (now != at) {
    tell_freed(old, caller);
  } else if (bytes < old.bytes) {
    old.address += bytes;
    old.bytes -= bytes;
    tell_freed(old, caller);
  }
  return now;
}

__attribute__((constructor)) void prepare_fork() {
  pthread_atfork([] { blocks.lock(); }, [] { blocks.unlock(); },
                 [] {
                   on_freed = nullptr;
                   blocks.unlock();
                 });
}

}  // namespace
}  // namespace vouch

using namespace vouch;

extern "C" {

EXPORTED HeapAnswer vouch_heap_find(const void* address, HeapBlock* block) {
  return blocks.find(address, *block);
}

EXPORTED void vouch_heap_watch(HeapFreed tell) {
  __atomic_store_n(&on_freed, tell, __ATOMIC_RELEASE);
}

EXPORTED void* malloc(std::size_t bytes) {
  if (!ready()) return from_spare(bytes);
  return made(next.malloc(bytes), bytes, CALLER);
}

EXPORTED void* calloc(std::size_t count, std::size_t bytes) {
  if (!ready()) return from_spare(count * bytes);  // zero: nobody had it before
  return made(next.calloc(count, bytes), count * bytes, CALLER);
}

EXPORTED void free(void* at) {
  if (at == nullptr || is_spare(at)) return;
  drop(at, CALLER);
  if (ready()) next.free(at);
}

EXPORTED void* realloc(void* at, std::size_t bytes) { return resize(at, bytes, CALLER); }

EXPORTED void* reallocarray(void* at, std::size_t count, std::size_t bytes) {
  std::size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return resize(at, total, CALLER);
}

EXPORTED int posix_memalign(void** at, std::size_t alignment, std::size_t bytes) {
  if (!ready()) return ENOMEM;
  const int error = next.posix_memalign(at, alignment, bytes);
  if (error == 0) made(*at, bytes, CALLER);
  return error;
}

EXPORTED void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (!ready()) return nullptr;
  return made(next.aligned_alloc(alignment, bytes), bytes, CALLER);
}

EXPORTED void* memalign(std::size_t alignment, std::size_t bytes) {
  if (!ready()) return nullptr;
  return made(next.memalign(alignment, bytes), bytes, CALLER);
}

}  // extern "C"
