// An analysis: events and the model in, findings out.
//
// It calls no MPI, no other analysis, and prints nothing. It is asked per procedure what it wants
// to see, when the run begins and whenever it wants something else (want_again), so a call costs
// only the analyses that care. Analyses run in the order of registry.def, which is the order of
// stages [U51]: once one has reported on a call, later ones leave alone what can follow from that
// finding (report/harm.h).

#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
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
  // What it has nothing to say about, and need not be told. Of calls that are entered:
  bool not_usual = false;     // those of a process that does what most do (Process::usual)
  bool not_repeated = false;  // that say what the last one at their place said (Call::repeated)
  // Of those that return: with success and nothing wrong about them (Call::fine).
  bool not_fine = false;

  bool enter_of(bool usual, bool repeated) const {
    return enter && !(usual && not_usual) && !(repeated && not_repeated);
  }
  bool enter_of(const Call& call) const { return enter_of(call.usual, call.repeated); }
  bool leave_of(bool fine) const { return leave && !(fine && not_fine); }
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual Wants wants(Proc) const = 0;
  virtual void on_enter(Process&, Call&) {}
  // The model is still as before the call. `leave` may be a bare success (error class 0, no
  // results).
  virtual void on_leave(Process&, Call&, const Event& /*leave*/) {}
  // The process is gone; Process::end says how. All its records were read.
  virtual void on_end(Process&) {}
  virtual void finish() {}  // all processes are gone
  // Set when wants() says something else than before.
  void tell_wants(bool& changed) { wants_changed_ = &changed; }

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
  // It wants other calls from now on.
  void want_again() { *wants_changed_ = true; }
  World& world_;
  Sink& sink_;

 private:
  bool own_ = false;  // while it is used alone
  bool* wants_changed_ = &own_;
};

// The call has a finding of this rule.
void spoil(Call&, Rule, Severity);
inline void spoil(Call& call, Rule rule) { spoil(call, rule, info(rule).severity); }

// Place of a call, with its telling arguments: "MPI_Send(dest=4, tag=7)".
Place place_of(const Process&, const Call&, std::string role = {});
// Place where an object was made or freed.
Place made_place(const Process&, const Object&, std::string role = "made here");
Place freed_place(const Process&, const Object&, std::string role = "freed here");

}  // namespace vouch
