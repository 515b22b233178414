// One event to whom it concerns: analyses in stage order, then acts and facts between ranks, then
// the model.
//
// Each analysis is asked per procedure what it wants to see; a call that nobody wants costs no
// virtual call. A thread's open calls are kept on its stack (Thread::calls); more than one is open
// only inside user callbacks. A call that wrote no leave record is known to have returned when its
// thread's next record arrives, or when the ring says so.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/analyses.h"
#include "analysis/deadlock/pause.h"
#include "base/task.h"
#include "event/event.h"
#include "match/facts.h"
#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

class Dispatch {
 public:
  Dispatch(World&, Analyses);

  void enter(Process&, int thread, const Event&);
  void leave(Process&, int thread, const Event&);
  // The call numbered `seq`, if the thread is in it: its place among the open ones, else -1.
  static int open_call(const Thread&, std::uint32_t seq);
  // Of the open call at this place.
  void leave(Process&, Thread&, int at, const Event&);
  static constexpr std::size_t kMostResults = 64;  // words of any leave record, without arrays
  // The ring says that the call numbered `seq` was the last one to return: it and what it called
  // are over.
  void returned(Process&, int thread, std::uint32_t seq);

  // Meta::block, freed or modified.
  void memory(Process&, int thread, const Event&);
  void policy(Process&, int thread, const Event&);  // Meta::polls, decided or diverged
  // True: some ranks are stuck for good, which has been told. `Pause` must live as long.
  Task<bool> pause(const Pause&);
  const std::vector<int>& stuck() const { return stuck_; }  // those ranks, in order
  bool ahead(const Process&);                               // DeadlockSearch::ahead
  // Rounds of calls that are not analysed again (rounds.h).
  bool at_rest() const;
  void repeated(const Process&, Site, Proc, std::uint64_t times);
  Task<> let_go(const Process&);
  void inside(Process&, int thread, const Event&);  // Meta::inside or threaded
  void claim(Process&, const Event&);               // Meta::claim
  void access(Process&, int thread, const Event&);  // Meta::access, exposed or instrumented
  void end(Process&);
  void finish();
  Facts& facts() { return facts_; }
  const Analyses& analyses() const { return analyses_; }

  std::uint64_t calls() const;
  std::uint64_t claims() const { return claims_; }
  std::uint64_t calls(Proc p) const { return per_proc_[static_cast<std::size_t>(p)]; }

 private:
  void threaded(Process&, int thread, const Event&);
  static constexpr std::size_t kRemembered = 12;  // words that are remembered
  struct Interested {
    std::uint16_t first = 0, last = 0;  // of listeners_
  };
  // What is done about a procedure.
  struct Plan {
    // By whether the process does what most do, and whether the call says what the last one at its
    // place said.
    Interested enter[2][2];
    Interested leave[2];  // by Call::fine
    bool fact_enter = false, fact_leave = false;
    bool begins = false, takes_effect = false;  // the model takes something over
    bool remembered = false;                    // what its calls say, by place
  };

  std::span<Analysis* const> of(Interested i) const {
    return {listeners_.data() + i.first, listeners_.data() + i.last};
  }
  void ask();                         // what everybody wants
  void close_top(Process&, Thread&);  // as success without results
  // What a call said at a place of its process.
  struct LastCall {
    std::uint32_t changes = 0;  // Process::changes at that time
    std::uint16_t proc = 0;     // 0: nothing
    std::uint64_t words[kRemembered];
  };
  LastCall* last_call_at(const Process&, const Event& enter);
  static std::uint32_t changed_words(LastCall&, const Process&, const Event&, std::size_t words);

  World& world_;
  Analyses analyses_;
  Facts facts_;
  bool facts_wanted_ = false;  // some analysis observes them, or listens to acts
  std::vector<Analysis*> listeners_;
  std::vector<int> stuck_;
  std::array<Plan, static_cast<std::size_t>(Proc::count_)> plans_{};
  std::array<std::uint64_t, static_cast<std::size_t>(Proc::count_)> per_proc_{};
  std::uint64_t claims_ = 0;
  PerProcess<std::vector<LastCall>> last_calls_;  // by the process's number of the site
};

}  // namespace vouch
