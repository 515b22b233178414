// Runs of one program, again and again, each following a schedule.
//
//     auto session = Session::open(options);
//     const SessionRun shown = session->run(schedule);
//
// The program is looked at once; each run has processes of its own. The quickest way to start ranks
// is taken (launch/direct.h); docs/design/007-policy.md has what it costs. What a run has shown of
// the program is known to later ones, also where each is made by a child of this process. So is how
// long the longest took: without a time limit of the user's a run is ended that takes many times as
// long, since it may wait for something that will never come.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "policy/schedule.h"
#include "run/prepare.h"
#include "trace/load.h"

namespace vouch {

// What a run has shown.
struct SessionRun {
  std::string failed{};  // one sentence: it could not be started, or its launcher died every time
  int status = 0;        // of the program
  Summary summary{};     // summary.schedule: what it did decide
  std::string left{};    // why it did not follow its schedule; "": it did
  std::string output{};  // what the program printed, if that was asked for
  std::chrono::milliseconds took{};
  int launcher_signal = 0;  // the launcher was killed by it
};

class Session {
 public:
  // The options' own schedule, trace and report are not looked at. The refusal says why not.
  static Session open(const RunOptions&);
  const Refusal& refusal() const { return prepared_.refusal; }
  // The same with one more variable in the environment of its runs.
  Session with(const std::string& name, const std::string& value) const;

  // Also into a trace, if `events` is an open file (a memfd), and with what it prints, if wanted.
  SessionRun run(const policy::Schedule&, int events = -1, bool output = false) const;

 private:
  // Whether the program asks which ranks share a node. If not, MPICH need not know it either, and
  // its ranks do not wait for each other by spinning when they start.
  enum Nearness : std::uint32_t { unknown, no_matter, matters };

  SessionRun once(const policy::Schedule&, int events, bool output, bool apart) const;
  // Again, if only the launcher failed: mpirun may crash when it ends a job.
  SessionRun steadily(const policy::Schedule&, int events, bool output, bool apart) const;

  Prepared prepared_;
  // In memory that children share.
  std::shared_ptr<std::atomic<std::uint32_t>> nearness_, longest_;  // longest_: milliseconds
};

}  // namespace vouch
