// The ranks of other nodes, as the search for deadlocks needs them. The agent is behind it.
//
// Nothing here waits: a question goes out, and whoever asked looks later whether the answers have
// come (DeadlockSearch::go_on).

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/harm.h"
#include "base/ids.h"
#include "wait/snapshot.h"

namespace vouch {

// A hang follows from what can hang, and from what has failed.
inline constexpr Harms kHangs = Harm::hang | Harm::failure;

// What a rank that is stuck, or others wait for, is doing.
struct RankStatus {
  int rank = -1;
  std::string call;          // with arguments, "": it is in none
  std::vector<Site> broken;  // calls of it whose findings a hang can follow from
  bool inside = false;       // it is in one of them, or completes what one began
  bool over = false;         // it is in MPI_Finalize, or gone
  std::vector<Site> stack;   // of a rank that is in a call, from there outwards
};

class RemoteRanks {
 public:
  virtual ~RemoteRanks() = default;
  virtual void tolerate(wait::Label) = 0;
  // These ranks are stuck: what others said in the collectives they are in comes here.
  virtual void gather_waves(const std::vector<int>& stuck) = 0;
  virtual bool waves_gathered() = 0;
  // What those of the ranks do that are elsewhere.
  virtual void ask(const wait::RankSet&) = 0;
  virtual bool answered() = 0;
  virtual std::vector<RankStatus> take_answers() = 0;
  // How long nobody has called anything.
  virtual std::chrono::nanoseconds quiet_for() = 0;
  // As Sink::consequence, for a rank that is elsewhere.
  virtual void blame(int rank, Site, const std::string& text) = 0;
};

}  // namespace vouch
