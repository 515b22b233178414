// The graph of a program: each call has a point where it is entered and one where it returns.

#pragma once

#include <vector>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

class Order {
 public:
  explicit Order(const Program&);

  int enter(std::size_t call) const { return static_cast<int>(2 * call); }
  int leave(std::size_t call) const { return static_cast<int>(2 * call + 1); }
  // Calls of a rank, in order.
  const std::vector<std::size_t>& of(int rank) const {
    return by_rank_[static_cast<std::size_t>(rank)];
  }
  // Later calls of the same rank, in order.
  std::vector<std::size_t> after(std::size_t call) const;

  void add(int from, int to) { next_[static_cast<std::size_t>(from)].push_back(to); }
  // Also true of a point and itself. Nothing is added after the first question.
  bool reaches(int from, int to) const;
  // The same without passing a point that comes, in `sure`, before the call of the first.
  bool reaches_forwards(int from, int to, const Order& sure) const;

 private:
  void messages();
  void collectives();
  void exposures();
  bool fetched(std::size_t complete, int from) const;
  void all_to_all(const std::vector<std::size_t>& calls);

  const Program& program_;
  std::vector<std::vector<std::size_t>> by_rank_;
  std::vector<std::vector<int>> next_;
  mutable std::vector<std::vector<bool>> reached_;  // by point; empty: not asked yet
};

}  // namespace vouch::rma_programs
