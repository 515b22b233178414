// Hangs in calls that have a finding.
//
// By the rules of waiting a collective goes on when all members have come. If they called different
// things, or named different roots, the library may wait forever all the same: nobody knows, since
// the calls have no meaning. It is taken for a hang when such calls have not returned for a while,
// everybody else waits by the rules, and nobody calls anything any more. "Such calls" are
// - those with the finding, and those that complete a request with one. The request may have been
//   made long before the others came: the finding is then on the request, not on an open call;
// - a loop of tests of such a request;
// - after a longer while, any call that waits in a process whose collectives have gone out of step:
//   what the library holds of its messages is not what the rules say;
// - after the same while, any call that waits once some process has made a call with such a finding
//   and gone on: what others should get of that call may never come.

#pragma once

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/damage.h"
#include "analysis/deadlock/feed.h"
#include "analysis/deadlock/pause.h"
#include "analysis/deadlock/progress.h"
#include "analysis/deadlock/remote_ranks.h"
#include "model/per_process.h"
#include "model/world.h"
#include "report/sink.h"
#include "wait/snapshot.h"

namespace vouch {

// A blocking call that the process is in; nullptr: none.
const Call* blocking_call(const Process&, const std::function<bool(const Call&)>& fits = {});
// Places of the blocking call that the process is in and of the operations it completes.
std::vector<Site> awaited(const Process&);

class BrokenHang : public DamageUser {
 public:
  static constexpr auto kPatience = std::chrono::seconds(2);
  BrokenHang(const World& world, const Progress& progress) : world_(world), progress_(progress) {}

  // A call of the process of which a hang can follow.
  void note(const Process&, Site);
  // The latest of them; 0: there is none.
  Site latest(const Process& process) const {
    const Site* latest = latest_.find(process);
    return latest != nullptr ? *latest : Site{};
  }
  // Where the finding is that the call has which the process is in, or repeats without end, or what
  // that call completes. 0: there is none.
  Site at(const Process&) const;
  // By the rules of waiting nothing is known of the call that the thread is in.
  bool is_broken(const Process&, const Thread&) const;

  // One search: all processes that are here wait, by the rules or in such calls;
  bool all_here_wait(const wait::Snapshot&, const WaitFeed&);
  // of ranks elsewhere, these are to be asked, and so do they;
  wait::RankSet to_be_asked();
  bool all_others_wait(const std::vector<RankStatus>&);
  // and some are in such calls, long enough. Once.
  bool lasts(const Pause&, bool remote);
  bool found() const { return found_; }
  const std::vector<int>& ranks() const { return ranks_; }  // that are stuck, in order
  // Adds it to a finding that it follows from.
  void tell(Sink&, RemoteRanks*) const;

 private:
  Site finding_of(const Process&, const Call&) const;
  bool any_noted() const;

  const World& world_;
  const Progress& progress_;
  PerProcess<Site> latest_;
  std::vector<std::uint64_t> calls_;  // nobody has called anything since
  std::chrono::steady_clock::time_point since_{};
  std::vector<std::chrono::nanoseconds> worked_;  // by process, until then
  // The search under way.
  wait::RankSet blocked_;  // by the rules
  std::chrono::nanoseconds patience_{};
  bool broken_ = false;  // some are in such calls
  std::vector<int> ranks_;
  std::vector<std::pair<int, Site>> blamed_;     // findings that ranks here may be stuck for
  std::vector<std::pair<int, Site>> elsewhere_;  // the same of other nodes
  bool found_ = false;
};

}  // namespace vouch
