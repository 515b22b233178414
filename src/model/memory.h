// Blocks of memory of one process whose bounds are known.
//
// What MPI_Alloc_mem returned is always here. With --check-buffers also the heap blocks and global
// variables that calls have named, each told when it is named first and when it is freed. Memory
// that is not here is unknown, about which nothing is said.

#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "base/ids.h"

namespace vouch {

struct Block {
  // copy: a compiler's copy of a Fortran array section, made for one call.
  enum class Kind : std::uint8_t { heap, copy, global, alloc_mem };
  std::int64_t lo = 0, hi = 0;
  Kind kind = Kind::heap;
  Site made;         // of a global variable: unknown
  std::string name;  // of a global variable
};

class Memory {
 public:
  bool empty() const { return blocks_.empty(); }
  // The block with this byte; one past its end is not in it.
  const Block* find(std::int64_t address) const {
    auto at = blocks_.upper_bound(address);
    if (at == blocks_.begin()) return nullptr;
    --at;
    return address < at->second.hi ? &at->second : nullptr;
  }
  // Blocks that it overlaps are gone: their end was not seen.
  void add(Block block) {
    if (block.hi <= block.lo) return;
    auto at = blocks_.lower_bound(block.lo);
    if (at != blocks_.begin() && std::prev(at)->second.hi > block.lo) --at;
    while (at != blocks_.end() && at->first < block.hi) at = blocks_.erase(at);
    blocks_.emplace(block.lo, std::move(block));
  }
  void remove(std::int64_t lo) { blocks_.erase(lo); }

 private:
  std::map<std::int64_t, Block> blocks_;  // by start
};

}  // namespace vouch
