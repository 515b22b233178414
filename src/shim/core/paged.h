// A growing array in pages of its own: not in the application's heap. Its elements are plain data.

#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "shim/core/runtime.h"

namespace vouch::shim {

template <typename T>
class Paged {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // False: there is no memory.
  bool push(const T& value) {
    if (used_ == room_) {
      const std::uint64_t more = room_ == 0 ? (4096 + sizeof(T) - 1) / sizeof(T) : room_ * 2;
      auto* fresh = static_cast<T*>(pages(more * sizeof(T)));
      if (fresh == nullptr) return false;
      if (used_ != 0) std::memcpy(static_cast<void*>(fresh), at_, used_ * sizeof(T));
      if (at_ != nullptr) ::munmap(at_, room_ * sizeof(T));
      at_ = fresh;
      room_ = more;
    }
    at_[used_++] = value;
    return true;
  }
  void erase(std::uint64_t i) {
    std::memmove(static_cast<void*>(at_ + i), at_ + i + 1, (used_ - i - 1) * sizeof(T));
    --used_;
  }
  void clear() { used_ = 0; }
  std::uint64_t size() const { return used_; }
  T& operator[](std::uint64_t i) { return at_[i]; }
  T* begin() { return at_; }
  T* end() { return at_ + used_; }

 private:
  T* at_ = nullptr;
  std::uint64_t used_ = 0, room_ = 0;
};

}  // namespace vouch::shim
