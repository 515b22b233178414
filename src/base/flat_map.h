// A hash map without allocation per entry: open addressing, deletion by shifting back.
//
// Keys and values are small and trivially copyable. Pointers to values live until the next
// insertion or erasure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace vouch {

struct ScatterHash {
  std::uint64_t operator()(std::uint64_t key) const { return scatter(key); }
};

template <typename K, typename V, typename Hash = ScatterHash>
class FlatMap {
 public:
  bool empty() const { return used_ == 0; }
  std::size_t size() const { return used_; }

  V* find(const K& key) {
    if (used_ == 0) return nullptr;
    for (std::size_t i = home(key);; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (!slot.full) return nullptr;
      if (slot.key == key) return &slot.value;
    }
  }

  // The value of the key, made by default if there is none.
  V& operator[](const K& key) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    for (std::size_t i = home(key);; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (!slot.full) {
        slot = {key, V{}, true};
        ++used_;
        return slot.value;
      }
      if (slot.key == key) return slot.value;
    }
  }

  bool erase(const K& key) {
    V gone;
    return take(key, gone);
  }

  // The same; what its value was.
  bool take(const K& key, V& value) {
    if (used_ == 0) return false;
    std::size_t hole = home(key);
    while (slots_[hole].full && !(slots_[hole].key == key)) hole = (hole + 1) & mask_;
    if (!slots_[hole].full) return false;
    value = slots_[hole].value;
    for (std::size_t i = (hole + 1) & mask_; slots_[i].full; i = (i + 1) & mask_) {
      if (((i - home(slots_[i].key)) & mask_) < ((i - hole) & mask_)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].full = false;
    --used_;
    return true;
  }

  template <typename F>
  void for_each(F&& f) {
    for (Slot& slot : slots_) {
      if (slot.full) f(slot.key, slot.value);
    }
  }

 private:
  struct Slot {
    K key{};
    V value{};
    bool full = false;
  };

  std::size_t home(const K& key) const { return static_cast<std::size_t>(Hash()(key)) & mask_; }

  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 16 : old.size() * 2, Slot{});
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (!slot.full) continue;
      std::size_t i = home(slot.key);
      while (slots_[i].full) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0, used_ = 0;
};

}  // namespace vouch
