// Who waits forever, and for whom: deadlocks that happened, and those that only a buffer
// prevented.
//
// The engine (src/wait) knows where each rank stands by the strict rules: sends may block,
// collectives may synchronise. What is stuck by these rules is
// - manifest, if all ranks of the core are inside those very calls. Where the library might still
//   let one of them go on (a send that it may buffer) it must stay so for a moment; receives and
//   barriers cannot go on, so they are told at once;
// - potential, if some have returned: the library buffered. It is told, and from then on these
// calls
//   count as what they did.
// Where it depends on the library's choice who is stuck, and nothing moves any more, the choice was
// a bad one (silence.h). A deadlock with a rank whose call has a finding is a consequence of that
// finding. So is a hang in calls that by the rules could go on, but have a finding (broken_hang.h).
//
// Over several agents the state of all is asked for, and what ranks elsewhere do. Nothing waits
// for that here: what has to know it is a task (base/task.h), which go_on() takes up again once the
// answers have come. As long as one is under way nothing else may be told to the search.
//
// A process with threads is stuck when all that could still call MPI are (threads.cc).
//
// Misses: waiting inside one-sided and dynamic process calls.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/deadlock/broken_hang.h"
#include "analysis/deadlock/feed.h"
#include "analysis/deadlock/pause.h"
#include "analysis/deadlock/progress.h"
#include "analysis/deadlock/remote_ranks.h"
#include "analysis/deadlock/silence.h"
#include "analysis/meta_listener.h"
#include "analysis/repeats.h"
#include "base/task.h"
#include "wait/graph.h"
#include "wait/node.h"

namespace vouch {

class DeadlockSearch : public Analysis, public ActListener, public MetaListener, public Repeats {
 public:
  DeadlockSearch(World& world, Sink& sink);
  // Before the first event.
  void set_buffering(wait::Buffering);
  void set_limits(const RestLimits&);

  // Several agents (spread.cc). Before the first event: which of them this is. Only the root
  // judges.
  void spread(int self, const wait::Layout&, wait::Network&, RemoteRanks&);
  wait::Node& node() { return *node_; }
  void tolerate(wait::Label);
  // A rank died that is elsewhere: the others' waits are no findings.
  void give_up() { off_ = true; }
  // An agent is gone: nothing is known of its ranks, and no state will ever be whole.
  void lose_sight();
  // What can be known of one of our ranks that is stuck.
  RankStatus status_of(const Process&) const;
  // The last state, while all agents are there. finish() tells it.
  Task<> last_look();
  // A task waits for answers. It goes on if they have come, or will not: an agent is gone, or
  // `hopeless`.
  bool asks() const { return answers_.waits(); }
  void go_on(bool hopeless = false) { answers_.poll(hopeless || blind_); }
  void share(Damage& all) { broken_.share(all); }

  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event&) override;
  WantsActs wants_acts(Proc proc) const override { return WaitFeed::wants_acts(proc); }
  void on_enter_acts(Process&, Call&, std::span<const Act>) override;
  void on_leave_acts(Process&, Call&, const Event&, std::span<const Act>) override;
  void on_policy(Process&, int thread, const Event&) override;
  void on_end(Process&) override;
  // Ranks that are stuck for good, in order; on_stuck() will have something to say about it. In
  // between, the collectives that they are in are told.
  Task<std::vector<int>> on_pause(const Pause&);
  Task<> on_stuck();
  // This process is so far ahead of its partners that its records had better stay in its ring; it
  // then waits when that is full.
  bool ahead(const Process&);
  // Where it may wait for one that is not followed or dead, and forever, they had better not.
  bool holds_in_vain() const { return feed_->ignored() > 0 || off_; }
  // They must be read all the same: else the job would stand still.
  Task<> let_go(const Process&);
  bool at_rest() override;
  void repeated(const Process&, Site, Proc, std::uint64_t times) override;
  void finish() override;

  // A deadlock has been told that will not end by itself; its ranks.
  const std::vector<int>& stuck_ranks() const { return stuck_ranks_; }
  // What the user should know while the run goes on, once; "": nothing.
  std::string take_notice() { return std::exchange(notice_, {}); }

 private:
  using Time = std::chrono::steady_clock::time_point;
  // How long what a library may let go on must stand still.
  static constexpr auto kPatience = std::chrono::milliseconds(500);
  // For the answers of all agents.
  static constexpr auto kAnswers = std::chrono::seconds(10);
  struct Found {
    wait::Verdict verdict;
    wait::Snapshot snapshot;
    std::vector<wait::RankSet> still;  // of all states that led here
    bool silent = false;               // it depended on the library's choice
  };

  struct Allowed {
    std::size_t ahead, kept;
  };

  Task<std::optional<wait::Snapshot>> look(wait::View view = {});  // nothing: there will be none
  Task<std::vector<RankStatus>> ask(wait::RankSet);
  bool judges() const { return self_ == 0; }
  Task<> learn(wait::RankSet concerned);
  static wait::RankSet concerned(const Found&, const wait::Deadlock&, const wait::Groups&);
  bool lasts_everywhere(const Found&, Time now);
  // Potential deadlocks are told and stepped over; what is left is stuck, if anything.
  Task<Found> settle();
  Task<Found> settle_guided(Found);
  bool let_returned_go_on(const Found&);
  void tell(const Found&, const wait::Deadlock&);
  Task<> hold(const Found&, const wait::Deadlock&);
  void tell_held();
  Allowed& allowed(const Process&);
  Report report_of(const Found&, const wait::Deadlock&, bool potential);
  bool lasts(const Found&, Time now);
  bool others_have_come(const Found&, const Pause&);
  void look_at_threads(const Pause&);
  std::vector<int> search_livelock(const Pause&);
  void go_on_behind_sends(const Found&, const Pause&);
  bool may_stop_asking(const Pause&) const;
  bool only_asks(const Process&, const Pause&) const;
  void notice_livelock();
  void tell_livelock(Severity);
  void tell_unfinished_livelock();
  Task<std::optional<Found>> hang_in_silence(const wait::Snapshot&, const Pause&);
  Task<std::vector<int>> hang_in_broken_calls(const wait::Snapshot&, const Pause&);
  void tell_broken_hang();
  bool waits_for_decided(const wait::RankSet&) const;
  Task<bool> blame_schedule(Found&);
  void tell_schedule(const Found&);
  static bool library_waits(const wait::Deadlock&);
  void take_stacks(const Found&, const Pause&);

  // Words (words.cc).
  std::vector<Place> places(const Found&, const std::vector<wait::Stuck>&, std::size_t limit) const;
  std::string call_of(const wait::Stuck&) const;
  std::string waits_for(const Found&, const wait::Stuck&) const;
  std::string message_of(const Found&, const wait::Deadlock&) const;
  const Process* process_of(wait::Rank) const;
  static std::string follows(const wait::Stuck&, bool potential);
  bool blame_earlier(const Found&, const wait::Deadlock&, bool potential);

  // What is waited for, and what comes close to it (near.cc).
  std::string words_of(const wait::OpState&) const;
  std::vector<wait::OpState> open_parts(const wait::Stuck&) const;
  void add_operations(const wait::Stuck&, std::vector<Place>&) const;
  static std::string unmarked_words(const Request&);
  static void add_unmarked(const Process&, const Request&, bool first, Report&);
  bool add_own_cause(const wait::Deadlock&, Report&) const;
  bool add_thread_waits(const wait::Deadlock&, Report&) const;
  bool add_taken_message(const wait::Deadlock&, Report&) const;
  bool add_claimed_message(const wait::Deadlock&, Report&) const;
  bool add_taken_before(const wait::Deadlock&, Report&) const;
  bool add_near_miss(const wait::Deadlock&, Report&) const;
  bool add_other_communicator(const wait::Deadlock&, Report&) const;
  // A persistent operation that was made and never started.
  struct Idle {
    WorldRank rank{};
    Site made{};
    Proc made_by = Proc::none;
    RequestKind kind{};
    int peer = wait::kAnyRank;  // in the world
    std::int64_t tag = 0;
    Site waited{};  // a call that waited for it all the same
  };
  static std::optional<Idle> idle(const Process&, const Request&);
  void note_idle(const Process&, const Call&);
  std::optional<Idle> never_started(const wait::Deadlock&) const;
  std::string advice_for(const wait::Deadlock&) const;

  wait::Buffering buffering_;
  RestLimits limits_;
  std::unique_ptr<wait::Node> node_;
  std::unique_ptr<WaitFeed> feed_;
  Progress progress_;
  BrokenHang broken_{world_, progress_};
  Silence silence_{world_};
  bool off_ = false;  // a process died: the others' waits are no findings
  bool looked_at_threads_ = false;
  std::vector<Idle> idle_;  // that were waited for
  struct Held {
    Report report;
    std::vector<std::pair<wait::Rank, wait::Index>> operations;  // that may never meet a partner
    wait::RankSet elsewhere;                                     // other ranks of the core
    std::vector<std::pair<wait::Rank, wait::Index>> core;        // those here, and where they are
  };
  std::vector<Held> held_;
  // What looks stuck but may still go on.
  std::vector<std::pair<wait::Rank, wait::Index>> suspects_;
  Time since_{};
  struct Arrival {  // a deadlock is known, and not everybody is in it
    std::optional<Time> since;
    std::vector<std::chrono::nanoseconds> worked;  // by process, until then
  } arrival_;
  std::optional<Found> confirmed_;
  bool guided_ = false;              // a schedule has decided something
  bool blamed_ = false;              // the confirmed one holds in this schedule only
  std::set<std::vector<int>> told_;  // ranks of deadlocks that were told as manifest
  std::vector<int> stuck_ranks_;
  std::set<std::pair<wait::Rank, wait::Index>> stuck_at_;
  std::map<wait::Rank, std::vector<Site>> stacks_;  // of ranks that stand for a core
  std::map<wait::Rank, std::vector<Pause::ThreadWait>> thread_waits_;  // the same
  struct Livelock {
    std::optional<Found> found;
    Time since{};
    std::optional<Time> behind{};  // since then a sender only might be blocked
    Time reason{};                 // to stop asking: when there was one at the latest
    bool everybody = false;        // nobody does anything else
    bool told = false, noticed = false;
  } livelock_;
  std::string notice_;
  std::vector<Allowed> allowed_;  // by process: operations ahead of its position, kept of it
  bool more_kept_ = false;        // of somebody, since a rank was last let go from what it waits in
  std::uint64_t given_up_ = 0;

  // Several agents.
  int self_ = 0;
  RemoteRanks* remote_ = nullptr;       // none: all ranks are here
  WaitPoint answers_;                   // to what was asked of other agents
  bool blind_ = false;                  // an agent is gone
  std::map<int, RankStatus> statuses_;  // ranks elsewhere, as they were last asked
  wait::RankSet suspect_ranks_, unmet_;
  std::optional<Found> last_;
};

}  // namespace vouch
