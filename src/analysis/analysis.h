// An analysis: events and the model in, findings out.
//
// It calls no MPI, no other analysis, and prints nothing. It is asked once per procedure what it
// wants to see, so a call costs only the analyses that care. Analyses run in the order of
// registry.def, which is the order of stages [U51]: once one has reported on a call,
// later ones leave alone what can follow from that finding (report/harm.h).

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "model/world.h"
#include "report/finding.h"
#include "report/harm.h"
#include "report/sink.h"

namespace vouch {

struct Wants {
  bool enter = false;
  bool leave = false;  // also told of a return without leave record, if the procedure has none
};

// A moment in which the ranks are looked at: all their records were read, or a while has passed.
struct Pause {
  std::chrono::steady_clock::time_point now;
  std::span<const std::uint64_t> polls;  // unpublished polls of each process so far, by its index
  // Where the process with this index is now: the frames of each of its threads, innermost first.
  // May be empty, and say nothing.
  std::function<std::vector<std::vector<Site>>(std::size_t)> stacks{};
  // How long it has had a processor so far. May be empty; 0: nobody knows.
  std::function<std::chrono::nanoseconds(std::size_t)> worked{};
  // Whether, but for these threads, each of which is inside this call, no thread of the process
  // with this index will ever act again by itself, and all that the process has done was read. May
  // be empty: there are no such threads.
  struct OpenCall {
    int thread;
    std::uint32_t seq;
  };
  std::function<bool(std::size_t, std::span<const OpenCall>)> others_rest{};
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual Wants wants(Proc) const = 0;
  virtual void on_enter(Process&, Call&) {}
  // The model is still as before the call. `leave` may be a bare success (error class 0, no
  // results).
  virtual void on_leave(Process&, Call&, const Event& /*leave*/) {}
  // Meta::block, freed or modified, before the model takes it over.
  virtual void on_memory(Process&, int /*thread*/, const Event& /*meta*/) {}
  // Meta::polls, decided or diverged.
  virtual void on_policy(Process&, int /*thread*/, const Event& /*meta*/) {}
  // Ranks that are stuck for good, in order; on_stuck() will have something to say about it. In
  // between, the collectives that they are in are told.
  virtual std::vector<int> on_pause(const Pause&) { return {}; }
  virtual void on_stuck() {}
  // This process is so far ahead of its partners that its records had better stay in its ring; it
  // then waits when that is full.
  virtual bool ahead(const Process&) { return false; }
  // They must be read all the same: else the job would stand still.
  virtual void let_go(const Process&) {}
  // The first call found the second one, of another thread, inside MPI at the same time.
  virtual void on_inside(Process&, Call&, Call& /*other*/) {}
  // Meta::claim: what the program says of its own values.
  virtual void on_claim(Process&, const Event& /*meta*/) {}
  virtual void on_end(Process&) {
  }                         // the process is gone; Process::end says how; all its records were read
  virtual void finish() {}  // all processes are gone

 protected:
  Analysis(World& world, Sink& sink) : world_(world), sink_(sink) {}
  // Reports at this call and spoils it.
  void report(Process&, Call&, Rule, std::string message, std::string cause = {},
              std::vector<Place> more = {});
  void report(Process&, Call&, Rule, Severity, std::string message, std::string cause = {},
              std::vector<Place> more = {});
  // For a rule of several causes. `common`: Report::common.
  void report(Process&, Call&, Cause, Severity, std::string message, std::vector<Place> more = {},
              std::string common = {});
  void report(Process& process, Call& call, Cause cause, std::string message,
              std::vector<Place> more = {}, std::string common = {}) {
    report(process, call, cause, info(info(cause).rule).severity, std::move(message),
           std::move(more), std::move(common));
  }
  // This finding is known (Sink::again), then the call is spoiled and nothing is left to do: to be
  // asked before its text is made. `more`: the sites of the report's other places, of this process.
  bool again(const Process&, Call&, Rule, Severity, std::string_view cause = {},
             std::initializer_list<Site> more = {});
  bool again(const Process& process, Call& call, Rule rule, std::string_view cause = {},
             std::initializer_list<Site> more = {}) {
    return again(process, call, rule, info(rule).severity, cause, more);
  }
  bool again(const Process& process, Call& call, Cause cause,
             std::initializer_list<Site> more = {}) {
    return again(process, call, info(cause).rule, info(cause).key, more);
  }
  World& world_;
  Sink& sink_;
};

// The call has a finding of this rule.
void spoil(Call&, Rule, Severity);
inline void spoil(Call& call, Rule rule) { spoil(call, rule, info(rule).severity); }

// Place of a call, with its telling arguments: "MPI_Send(dest=4, tag=7)".
Place place_of(const Process&, const Call&, std::string role = {});
// Place where an object was made or freed.
Place made_place(const Process&, const Object&, std::string role = "made here");
Place freed_place(const Process&, const Object&, std::string role = "freed here");

// All analyses of registry.def, in stage order.
std::vector<std::unique_ptr<Analysis>> make_analyses(World&, Sink&);

}  // namespace vouch
