// How new a schedule is: whether it makes a process receive something in a way that no run has
// shown.
//
// Of n! orders of equal messages one is as good as another; an order in which a server is asked
// before it has anything is another case. So messages are known by their kind, which is the line
// that sent them and their tag, whoever sent them, and a receive by two things:
//
//   turn    what its process received before it from any source, which calls it has made since,
//           and what it gets now
//   state   its process, what that has done and received up to it, in whatever order, and what it
//           gets now
//
// A turn that no run had comes first, then a state that no run had, then the rest.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "explore/clocks.h"

namespace vouch::explore {

struct Novel {
  std::uint64_t turn = 0, state = 0;
};

// Of one run: what each of its events, with this or another message, would be.
class Turns {
 public:
  Turns(const Observation&, const Analysed&);
  Novel got(std::size_t event) const;
  Novel other(std::size_t event, const Alternative&) const;

 private:
  std::uint64_t kind(OpId send, int label) const;
  Novel with(std::size_t event, std::uint64_t kind) const;

  const Observation& run_;
  const Analysed& analysed_;
  std::vector<std::uint64_t> sites_{};  // by site: the same in every run
  std::vector<Novel> before_{};         // by event
};

// Of all runs so far.
class Novelty {
 public:
  void add(const Novel&);
  // 0: the newest.
  int rank(const Novel&) const;

 private:
  std::unordered_set<std::uint64_t> turns_{}, states_{};
};

}  // namespace vouch::explore
