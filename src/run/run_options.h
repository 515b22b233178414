// What can be chosen for a run of a program.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/checks.h"
#include "run/elf.h"
#include "run/supervise.h"

namespace vouch {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct RunOptions {
  std::vector<std::string> command;                  // the program, or its launcher, and its words
  int ranks = 0;                                     // 0: start the command as it stands
  MpiKind mpi = MpiKind::none;                       // none: find out
  std::string trace;                                 // file for all events
  std::shared_ptr<const policy::Schedule> schedule;  // to be followed; nullptr: none
  std::optional<std::chrono::milliseconds> timeout;
  wait::Buffering buffering;
  std::uint64_t most_unexpected = RestLimits::kMost;  // messages that wait to be received
  OnDeadlock on_deadlock = OnDeadlock::end;
  Checks checks;
  std::string net;  // addresses for agents on other nodes (net::choose); none: this node only
  int fanout = 16;  // of their tree
  std::optional<std::chrono::milliseconds> patience;  // with an agent that does nothing
  bool quick = false;          // started again and again: what makes a start cheap is worth it
  bool check_buffers = false;  // also watch the memory itself
  Environment environment;     // that the ranks get besides
};

}  // namespace vouch
