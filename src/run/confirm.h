// Predictions are tried on the program itself: a run is made to follow their schedule.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policy/schedule.h"
#include "report/finding.h"
#include "run/run_options.h"

namespace vouch {

// Standard sends of such a run wait for their receives.
void forbid_buffering(RunOptions&);

// vouch replay ..., as one would type it. `synchronous`: no send is buffered.
std::vector<std::string> replay_words(const RunOptions&, const policy::Schedule&, bool synchronous);

enum class Fate : std::uint8_t {
  confirmed,
  otherwise,  // another error ended it before
  refuted,
  unknown,
};
struct Confirmation {
  Fate fate = Fate::unknown;
  std::string why{};
  std::vector<Finding> errors{};  // that it has shown
};

// Whether a run with this schedule shows an error of this rule (a prefix of its id).
Confirmation confirm(const RunOptions&, const policy::Schedule&, bool synchronous,
                     const std::string& rule);

}  // namespace vouch
