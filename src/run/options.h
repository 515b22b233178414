// What the user can choose for a run.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/elf.h"
#include "run/supervise.h"

namespace vouch {

// The contract for scripts.
inline constexpr int kExitError = 60, kExitInconclusive = 61, kExitUsage = 64, kExitInternal = 70;

using Environment = std::vector<std::pair<std::string, std::string>>;

struct RunOptions {
  std::vector<std::string> typed;    // the command line as typed, to show how to see it again
  std::vector<std::string> command;  // the program, or its launcher, and its words
  int ranks = 0;                     // 0: start the command as it stands
  MpiKind mpi = MpiKind::none;       // none: find out
  std::string json;
  std::string trace;    // file for all events
  std::string picture;  // file for the graph of a deadlock: .svg or .dot
  std::vector<std::string> suppressions;
  std::shared_ptr<const policy::Schedule> schedule;  // to be followed; nullptr: none
  std::string record;                                // file for the schedule of the run
  std::optional<std::chrono::milliseconds> timeout;
  int error_exitcode = kExitError;
  wait::Buffering buffering;
  OnDeadlock on_deadlock = OnDeadlock::end;
  std::string net;  // addresses for agents on other nodes (net::choose); none: this node only
  int fanout = 16;  // of their tree
  std::optional<std::chrono::milliseconds> patience;  // with an agent that does nothing
  bool strict = false, info = false, quiet = false;
  bool quick = false;          // started again and again: what makes a start cheap is worth it
  bool check_buffers = false;  // also watch the memory itself
  Environment environment;     // that the ranks get besides
  enum class Colour { automatic, always, never } colour = Colour::automatic;
};

// "90", "1.5", "90s", "2m", "1h", "250ms"; more than nothing and less than a year.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view);

// "strict", "as-run", "limit=4096", "limit=64k".
std::optional<wait::Buffering> parse_buffering(std::string_view);

// As a shell would read it back.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace vouch
