// The order matches-before of one run, written down rule by rule: the definition that clocks are
// held against. For small runs: every pair of operations is looked at.
//
//   C1  of one process: behind a synchronous send, a blocking receive, a wait, a barrier comes
//       whatever is issued later. Not so behind other sends.
//   C2  a receive before its wait
//   C3  sends of one process to one destination with one tag, as issued
//   C4  receives of one process that both fit a message, as issued: the first from any source, or
//       both from one; with any tag, the later one only if it got a tag that the first accepts.
//       C4': the later one from any source got a message of the first one's source
//   C5  between processes: what happens before a send or a barrier, before what lies behind its
//       receive or the same barrier elsewhere. A synchronous send tells in both directions.
//   C6  and so on
//
// A match-set is a send and its receive, the members of a barrier, or a wait.
//   C7  before {send, receive}: before the send     C8  before a barrier: before every member
//   C9  {send, receive} before: the receive is      C10 with a synchronous send: both are
//   C11 a barrier or wait before: a member is       C12 set before set: a member before the set

#pragma once

#include <vector>

#include "explore/observation.h"

namespace vouch::explore {

class MatchesBefore {
 public:
  explicit MatchesBefore(const Observation&);

  bool before(OpId a, OpId b) const { return order_[a][b]; }
  bool concurrent(OpId a, OpId b) const { return a != b && !before(a, b) && !before(b, a); }

  // The match-set of an operation: itself among them.
  std::vector<OpId> set_of(OpId) const;
  bool before_set(OpId, OpId member) const;
  bool set_before(OpId member, OpId) const;
  bool set_before_set(OpId member, OpId other) const;

 private:
  void in_one_process();
  bool between_processes();
  bool close();
  bool add(OpId a, OpId b);
  bool blocks(OpId) const;

  const Observation& run_;
  std::vector<OpId> taken_;               // by send: its receive
  std::vector<std::vector<bool>> order_;  // by operation
};

}  // namespace vouch::explore
