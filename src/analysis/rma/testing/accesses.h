// What the calls of a program do to memory, and when.

#pragma once

#include <vector>

#include "analysis/rma/testing/order.h"
#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

enum class Kind { read, write, update };

struct Access {
  std::size_t call = 0;
  int owner = 0;  // whose memory
  Bytes bytes;
  Kind kind{};
  bool at_target = false;
  bool of_message = false;         // or of a collective
  bool of_program = false;         // load, store
  std::vector<int> starts;         // points that all happen before it
  int end = -1;                    // -1: never
  int waited = -1;                 // a Get: its target has returned from wait
  int local_end = -1;              // what it brings has come
  std::vector<std::size_t> locks;  // calls that opened the lock epochs on its owner that it lies in

  bool writes(const Program& p) const {
    return kind == Kind::write || (kind == Kind::update && p.calls[call].op != Op::no_op);
  }
};

// An epoch of a lock on one target.
struct LockEpoch {
  std::size_t lock = 0, unlock = 0;     // calls
  int window = 0, by = 0, target = -1;  // -1: all
  bool exclusive = false;
  bool covers(int w, int t) const { return window == w && (target == t || target < 0); }
};
std::vector<LockEpoch> lock_epochs(const Program&, const Order&);

std::vector<Access> accesses(const Program&, const Order&);

}  // namespace vouch::rma_programs
