// From what the user asked for to a job: launcher, words, environment.

#pragma once

#include "run/exit_status.h"
#include "run/run_options.h"
#include "run/supervise.h"

namespace vouch {

struct Prepared {
  Refusal refusal{};
  Job job{};
};
Prepared prepare(const RunOptions&);

}  // namespace vouch
