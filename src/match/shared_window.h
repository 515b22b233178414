// Windows as all their processes see them: which handles of different processes are one window, and
// what memory each of its processes gives to it.
//
// The k-th window that is made of a communicator is the same for all its members. Records come in
// any order, so what a process gives may become known after others have used it.

#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "act/window_act.h"
#include "model/world.h"

namespace vouch {

// What one process gives to a window.
struct WindowMemory {
  bool known = false;      // its call was read
  bool addressed = false;  // and where the memory is
  bool dynamic = false;    // memory is attached: displacements are addresses
  std::int64_t base = 0, bytes = 0, unit = 1;
  std::uint32_t process = 0;
};

struct SharedWindow {
  std::uint64_t key = 0, comm = 0;
  std::uint32_t number = 0;  // its own, never used again; from 1
  const Members* members = nullptr;
  Proc flavour = Proc::none;
  // Some of its processes are another agent's or nobody's: what they do is not seen here.
  bool apart = false;
  bool contiguous = true;      // of MPI_Win_allocate_shared: the parts lie side by side
  bool orders_updates = true;  // accumulate_ordering
  bool one_operation = false;  // accumulate_ops=same_op
  std::unordered_map<int, WindowMemory> memory;  // by rank, of those that have told it
  int gone = 0;                                  // how many have freed it
  // With nothing known, if nothing was told.
  const WindowMemory& of(int rank) const {
    static const WindowMemory kNothing;
    const auto found = memory.find(rank);
    return found == memory.end() ? kNothing : found->second;
  }
};
using SharedWindowRef = std::shared_ptr<SharedWindow>;

class SharedWindows {
 public:
  struct Handle {
    SharedWindowRef window;  // nullptr: its processes are not known
    int rank = -1;
  };
  explicit SharedWindows(World& world) : world_(world) {}

  static bool sees(Proc proc);
  void enter(const Process&, const Call&);
  void leave(const Process&, const Call&, const Event& leave);

  // nullptr: a window that nobody saw made, or that is gone.
  const Handle* find(std::uint32_t process, std::uint64_t raw) const;
  const std::unordered_map<std::uint64_t, Handle>& of(std::uint32_t process) const;
  // Another value whenever a window or its memory has become known, or is gone.
  std::uint64_t version() const { return version_; }
  // Those that not all of their processes have freed.
  std::size_t live() const { return shared_.size(); }
  template <typename F>
  void for_each(F&& f) const {
    for (const auto& [key, window] : shared_) f(*window);
  }

 private:
  // Windows made of a communicator.
  struct Made {
    std::uint32_t generation = 0;
    std::uint64_t count = 0;
  };
  struct Rank {
    std::unordered_map<std::uint64_t, Handle> handles;  // by raw handle
    std::unordered_map<std::uint64_t, Made> made;       // by communicator
    std::unordered_map<std::uint32_t, Handle> entered;  // by number of the open constructor
  };
  Rank& rank(const Process& process) {
    if (process.index >= ranks_.size()) ranks_.resize(process.index + 1);
    return ranks_[process.index];
  }
  void gone(const SharedWindowRef&);

  World& world_;
  std::vector<Rank> ranks_;  // by process
  std::unordered_map<std::uint64_t, SharedWindowRef> shared_;
  std::uint32_t numbers_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace vouch
