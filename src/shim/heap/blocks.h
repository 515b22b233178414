// Live blocks of the heap, found by any address in them.
//
// A block stands in a bucket of its size class: class g holds blocks of at most 2^g bytes by their
// start >> g, so the block around an address starts in the same bucket or in the one before. Few
// classes are in use, so a search is a handful of probes whatever the sizes. Memory comes from
// mmap; one lock.
//
// The runtime of a sanitizer takes over functions of the C library (pthread_mutex_lock, mmap) and
// allocates before it has found the ones behind its own: these are asked for by system calls.

#pragma once

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "shim/heap/heap.h"

namespace vouch {

class Blocks {
 public:
  void lock() {
    std::uint32_t seen = kFree;
    if (state_.compare_exchange_strong(seen, kHeld, std::memory_order_acquire)) return;
    const int error = errno;
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
      ::syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kAwaited, nullptr, nullptr, 0);
    errno = error;
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited)
      ::syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  void add(const void* at, std::uint64_t bytes, const void* caller) {
    const Guard guard(*this);
    remove(address(at), nullptr);  // its end was not seen
    const std::uint32_t i = new_node();
    if (i == 0) return;
    const int g = class_of(bytes);
    nodes_[i] = {{address(at), bytes, caller}, 0, static_cast<std::uint8_t>(g), false};
    link(i);
    ++in_class_[g];
    classes_ |= std::uint64_t{1} << g;
  }

  // Removes the block that starts there. unknown: there is none; again: it was told.
  HeapAnswer take(const void* at, HeapBlock& block) {
    const Guard guard(*this);
    return remove(address(at), &block);
  }

  // The block around an address; it is told from now on.
  HeapAnswer find(const void* at, HeapBlock& block) {
    const Guard guard(*this);
    const std::uint64_t wanted = address(at);
    for (std::uint64_t left = classes_; left != 0; left &= left - 1) {
      const int g = __builtin_ctzll(left);
      for (const std::uint64_t part : {wanted >> g, (wanted >> g) - 1}) {
        for (std::uint32_t i = capacity_ == 0 ? 0 : heads_[slot(part, g)]; i != 0;
             i = nodes_[i].next) {
          Node& n = nodes_[i];
          if (n.level != g || wanted - n.block.address >= n.block.bytes) continue;
          block = n.block;
          const HeapAnswer answer = n.told ? HeapAnswer::again : HeapAnswer::first;
          n.told = true;
          return answer;
        }
      }
    }
    return HeapAnswer::unknown;
  }

  std::size_t size() const { return live_; }

 private:
  struct Node {
    HeapBlock block;
    std::uint32_t next;
    std::uint8_t level;
    bool told;
  };
  struct Guard {
    explicit Guard(Blocks& b) : blocks(b) { blocks.lock(); }
    ~Guard() { blocks.unlock(); }
    Blocks& blocks;
  };
  static constexpr int kLowest = 9;
  static constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 31;

  static std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }
  static int class_of(std::uint64_t bytes) {
    int g = kLowest;
    while (g < 63 && (std::uint64_t{1} << g) < bytes) ++g;
    return g;
  }
  std::uint64_t slot(std::uint64_t part, int g) const {
    return ((part * 64 + static_cast<std::uint64_t>(g)) * 0x9e3779b97f4a7c15u) >> shift_;
  }
  void link(std::uint32_t i) {
    Node& n = nodes_[i];
    std::uint32_t& head = heads_[slot(n.block.address >> n.level, n.level)];
    n.next = head;
    head = i;
  }

  HeapAnswer remove(std::uint64_t at, HeapBlock* block) {
    if (capacity_ == 0) return HeapAnswer::unknown;
    for (std::uint64_t left = classes_; left != 0; left &= left - 1) {
      const int g = __builtin_ctzll(left);
      for (std::uint32_t* link = &heads_[slot(at >> g, g)]; *link != 0;
           link = &nodes_[*link].next) {
        const std::uint32_t i = *link;
        Node& n = nodes_[i];
        if (n.level != g || n.block.address != at) continue;
        *link = n.next;
        if (--in_class_[g] == 0) classes_ &= ~(std::uint64_t{1} << g);
        if (block != nullptr) *block = n.block;
        const bool told = n.told;
        n.next = unused_;
        unused_ = i;
        --live_;
        return told ? HeapAnswer::again : HeapAnswer::first;
      }
    }
    return HeapAnswer::unknown;
  }

  // 0: there is no memory, and the block stays unknown.
  std::uint32_t new_node() {
    if (unused_ == 0 && used_ + 1 >= capacity_ && !grow()) return 0;
    std::uint32_t i = unused_;
    if (i != 0) {
      unused_ = nodes_[i].next;
    } else {
      i = static_cast<std::uint32_t>(++used_);
    }
    ++live_;
    return i;
  }

  bool grow() {
    const std::uint64_t wanted = capacity_ == 0 ? 16384 : capacity_ * 2;
    if (wanted > kMostNodes) return false;
    void* nodes = capacity_ == 0 ? map(wanted * sizeof(Node))
                                 : ::mremap(nodes_, capacity_ * sizeof(Node), wanted * sizeof(Node),
                                            MREMAP_MAYMOVE);
    if (nodes == MAP_FAILED) return false;
    nodes_ = static_cast<Node*>(nodes);
    void* heads = map(wanted * sizeof(std::uint32_t));
    if (heads == MAP_FAILED) return false;
    if (heads_ != nullptr) ::syscall(SYS_munmap, heads_, capacity_ * sizeof(std::uint32_t));
    // Free nodes are none: that is why it grows. All others are linked anew.
    heads_ = static_cast<std::uint32_t*>(heads);
    capacity_ = wanted;
    shift_ = 64 - __builtin_ctzll(wanted);
    for (std::uint32_t i = 1; i <= used_; ++i) link(i);
    return true;
  }

  static void* map(std::uint64_t bytes) {
    return reinterpret_cast<void*>(::syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }

  enum State : std::uint32_t { kFree, kHeld, kAwaited };
  std::atomic<std::uint32_t> state_{kFree};
  Node* nodes_ = nullptr;           // 0 is none
  std::uint32_t* heads_ = nullptr;  // by slot
  std::uint64_t capacity_ = 0, used_ = 0, live_ = 0;
  std::uint32_t unused_ = 0;
  int shift_ = 64;
  std::uint64_t classes_ = 0;  // those in use
  std::uint64_t in_class_[64] = {};
};

}  // namespace vouch
