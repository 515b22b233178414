// Objects of one kind by raw handle: the live ones, and for a while those that were freed.
//
// Open addressing over a pool with stable addresses. A freed object stays readable as a stale one
// until its handle value is issued again or kStaleKept later deaths push it out; then it is
// forgotten and a use of it is a handle of unknown birth, which is never a finding. So memory
// follows the live objects, however many come and go.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "base/ids.h"
#include "event/proc.h"

namespace vouch {

template <typename T>
class Table {
 public:
  static constexpr std::size_t kStaleKept = 4096;

  // The live object with this handle, nullptr if there is none.
  T* find(std::uint64_t raw) {
    const Entry* e = lookup(raw);
    return e != nullptr && e->live ? &slot(e->slot) : nullptr;
  }
  const T* find(std::uint64_t raw) const { return const_cast<Table*>(this)->find(raw); }

  // The dead object this handle last named; nullptr while a live one has the handle.
  const T* stale(std::uint64_t raw) const {
    const Entry* e = lookup(raw);
    return e != nullptr && !e->live ? &slot(e->slot) : nullptr;
  }

  // Whether its birth was seen, now or before.
  bool knows(std::uint64_t raw) const { return lookup(raw) != nullptr; }

  // A new object. If the handle is still live (its death went unseen) the old one is replaced.
  T& insert(std::uint64_t raw) {
    Entry* e = lookup(raw);
    std::uint32_t generation = 0;
    if (e == nullptr) {
      if ((used_ + 1) * 4 > entries_.size() * 3) grow();
      std::uint32_t s;
      if (!unused_.empty()) {
        s = unused_.back();
        unused_.pop_back();
      } else {
        s = slots_++;
        if (s % kChunk == 0) chunks_.push_back(std::make_unique<T[]>(kChunk));
        live_.push_back(false);
      }
      e = place(Entry{raw, s, true});
      ++used_;
    } else {
      generation = slot(e->slot).generation;
      size_ -= e->live;
      e->live = true;
    }
    T& object = slot(e->slot);
    reset(object);
    object.raw = raw;
    object.generation = generation + 1;
    live_[e->slot] = true;
    ++size_;
    return object;
  }

  // The live object with this handle dies. False: there is none.
  bool erase(std::uint64_t raw, Site site, Proc proc) {
    Entry* e = lookup(raw);
    if (e == nullptr || !e->live) return false;
    T& object = slot(e->slot);
    object.freed = site;
    object.freed_by = proc;
    e->live = false;
    live_[e->slot] = false;
    --size_;
    remember(raw, object.generation);
    return true;
  }

  std::size_t size() const { return size_; }  // live ones, predefined ones among them
  bool empty() const { return size_ == 0; }

  // Live ones in order of their place in the pool: the same for equal histories, whatever the
  // handle values are.
  template <typename F>
  void for_each(F&& f) {
    for (std::uint32_t s = 0; s < slots_; ++s) {
      if (live_[s]) f(slot(s));
    }
  }
  template <typename F>
  void for_each(F&& f) const {
    for (std::uint32_t s = 0; s < slots_; ++s) {
      if (live_[s]) f(slot(s));
    }
  }

  // Bytes held, for the test of flatness.
  std::size_t memory() const {
    return entries_.capacity() * sizeof(Entry) + chunks_.size() * kChunk * sizeof(T) +
           deaths_.capacity() * sizeof(Death);
  }

 private:
  static constexpr std::uint32_t kChunk = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::uint64_t raw = 0;
    std::uint32_t slot = kNone;
    bool live = false;
  };
  struct Death {
    std::uint64_t raw;
    std::uint32_t generation;
  };

  T& slot(std::uint32_t s) const { return chunks_[s / kChunk][s % kChunk]; }
  static void reset(T& object) {
    std::destroy_at(&object);
    ::new (static_cast<void*>(&object)) T;  // without clearing it first
  }
  std::size_t home(std::uint64_t raw) const {
    return static_cast<std::size_t>((raw * kGolden) >> shift_);
  }

  Entry* lookup(std::uint64_t raw) {
    if (entries_.empty()) return nullptr;
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = home(raw);; i = (i + 1) & mask) {
      Entry& e = entries_[i];
      if (e.slot == kNone) return nullptr;
      if (e.raw == raw) return &e;
    }
  }
  const Entry* lookup(std::uint64_t raw) const { return const_cast<Table*>(this)->lookup(raw); }

  Entry* place(const Entry& entry) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = home(entry.raw);
    while (entries_[i].slot != kNone) i = (i + 1) & mask;
    entries_[i] = entry;
    return &entries_[i];
  }

  void grow() {
    std::vector<Entry> old = std::move(entries_);
    entries_.assign(old.empty() ? 16 : old.size() * 2, Entry{});
    shift_ = 64;
    for (std::size_t n = entries_.size(); n > 1; n /= 2) --shift_;
    for (const Entry& e : old) {
      if (e.slot != kNone) place(e);
    }
  }

  void remember(std::uint64_t raw, std::uint32_t generation) {
    if (deaths_.size() < kStaleKept) {
      deaths_.push_back({raw, generation});
      return;
    }
    Death& oldest = deaths_[oldest_];
    if (Entry* e = lookup(oldest.raw);
        e != nullptr && !e->live && slot(e->slot).generation == oldest.generation)
      forget(e);
    oldest = {raw, generation};
    oldest_ = (oldest_ + 1) % kStaleKept;
  }

  // Deletion by shifting back: no tombstones, so probes stay short.
  void forget(Entry* e) {
    reset(slot(e->slot));
    unused_.push_back(e->slot);
    --used_;
    const std::size_t mask = entries_.size() - 1;
    std::size_t hole = static_cast<std::size_t>(e - entries_.data());
    for (std::size_t i = (hole + 1) & mask; entries_[i].slot != kNone; i = (i + 1) & mask) {
      if (((i - home(entries_[i].raw)) & mask) < ((i - hole) & mask)) continue;
      entries_[hole] = entries_[i];
      hole = i;
    }
    entries_[hole] = Entry{};
  }

  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<bool> live_;             // by slot
  std::vector<std::uint32_t> unused_;  // slots
  std::vector<Death> deaths_;          // ring of the last kStaleKept
  std::size_t oldest_ = 0;
  std::size_t used_ = 0, size_ = 0;
  std::uint32_t slots_ = 0;
  int shift_ = 64;
};

}  // namespace vouch
