// A run's processes: the agent and the launcher, from start to the last of their children.
//
// vouch and the launcher stay in one process group, so the terminal treats them as one job: Ctrl-C,
// Ctrl-Z and reads from the terminal work as without vouch. A signal that somebody sent to vouch
// alone goes on to the launcher; one from the terminal has reached it already.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/checks.h"
#include "base/rest_limits.h"
#include "policy/schedule.h"
#include "record/agent_watch.h"
#include "report/finding.h"
#include "wait/operation.h"

namespace vouch {

// What happens to a job in which ranks are stuck for good.
enum class OnDeadlock : std::uint8_t {
  end,
  report,  // nothing
  abort,   // its ranks get SIGABRT, which may leave core files
  pause,   // nothing, but it is told how to look at them
};

struct Job {
  std::vector<std::string> command;                              // launcher and its words
  std::vector<std::pair<std::string, std::string>> environment;  // set in the launcher only
  std::optional<std::chrono::milliseconds> timeout;
  wait::Buffering buffering;
  std::uint64_t most_unexpected = RestLimits::kMost;
  Checks checks;
  OnDeadlock on_deadlock = OnDeadlock::end;
  // Shows findings about ranks that are stuck, while the job is still there.
  std::function<void(const std::vector<Finding>&)> show{};
  int trace = -1;  // open file for all events, -1: none
  std::string trace_path{};
  std::shared_ptr<const policy::Schedule> schedule{};  // to be followed; nullptr: none
  int output = -1;  // where the program's standard output and error go; -1: where ours do
  int direct = 0;   // so many ranks of the command are started without a launcher (launch/direct.h)
  bool several = false;  // ranks may be on other nodes
  std::string net{};     // addresses for their agents
  int fanout = 16;
  std::chrono::milliseconds patience{kPatienceMs};  // with an agent that is stopped
  bool known_launcher = false;  // mpirun or one of its kind: it is watched for getting stuck
  bool frames = false;          // it frames its help with dashes (launcher_words.h)
  int ranks = 0;                // that the launcher is told to start; 0: not known
  bool discarded = false;       // if a signal ends it, nobody asks what it has shown
};

struct Outcome {
  std::string not_started;         // one sentence: the launcher could not be executed
  std::string internal;            // one sentence: vouch itself could not set up
  int status = 0;                  // of the launcher, as a shell would show it
  int signal = 0;                  // the launcher was killed by it
  std::optional<Summary> summary;  // from the agent; empty if it died
  std::vector<Finding> findings;   // those it had told before
  std::string agent_end;           // how it died, if it did
  std::string launcher_said{};     // its own words, if it has failed itself
  bool timed_out = false;
  bool launcher_stuck = false;  // it did not notice that a child had died, and was ended
  std::string stuck_said{};     // its own words before that, if they blame no process
  int interrupted = 0;          // a signal from outside
  bool deadlocked = false;      // it was ended because ranks were stuck
};

Outcome supervise(const Job&);

}  // namespace vouch
