// What vouch explore is asked to do.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "explore/campaign.h"
#include "explore/journal.h"
#include "run/run_options.h"

namespace vouch {

struct ExploreOptions {
  RunOptions run{};
  explore::Bounds bounds{};
  explore::Limits limits{};
  explore::Protocol protocol = explore::Protocol::vector;
  std::optional<policy::Schedule> first{};  // of the first run
  bool clocks_in_band = false;
  std::string clocks_file{}, state{}, resume{};
  std::vector<std::string> of_replay{};  // options that a replay of one of its runs needs as well
  explore::Subject subject{};            // of the state file

  bool lamport() const { return protocol == explore::Protocol::lamport; }
};

// The error is one sentence.
Result<ExploreOptions> explore_options_of(const CommandLine&);

}  // namespace vouch
