// Who can send to a wildcard, as ISP's scheduler asks it: when everything else has gone first.
//
// POE fires match-sets that leave no choice before any wildcard, so that a wildcard's senders are
// as many as they can be. Here the same is done with a run that is over: its operations are fired
// again, with the matches of the run, all but one wildcard, until nothing else can move. What could
// be matched with it then are its choices. An operation is fired when its immediate ancestors have
// been, in the matches-before order: the fence before it in its process, an earlier receive that
// would take the same message, an earlier message of the same channel. Ancestors of ancestors
// follow from firing (the transitive reduction), so what is kept is linear in the calls.
//
// It is the same set that vector clocks give (clocks.h), found in another way, and at another
// price: calls times wildcards, and not calls alone. Sends may be taken as buffered or as waiting
// for their receives.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "explore/clocks.h"

namespace vouch::explore {

// The first message of each sender that this receive or probe could be given, its own among them.
std::vector<OpId> choices_of(const Observation&, OpId wildcard, predict::Buffering);

// The alternatives of the events of a run, as match-sets tell them.
void use_match_sets(const Observation&, predict::Buffering, Analysed&);

// As it is when no send is buffered: each waits for its receive. `collectives`: and each collective
// waits for all its members.
Observation unbuffered(Observation, bool collectives);

// Barriers of a program by the place where they are called: which of them order nothing that
// matters in any of its runs (functionally irrelevant).
class Barriers {
 public:
  void add(const Observation&);
  // Places whose barriers never kept a receive from getting another message.
  std::vector<std::string> irrelevant() const;

 private:
  std::map<std::string, bool> relevant_{};  // by place
};

}  // namespace vouch::explore
