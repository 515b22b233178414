// One run of a prepared job, and what it has shown.

#pragma once

#include "report/finding.h"
#include "run/prepare.h"

namespace vouch {

struct JobResult {
  Refusal refusal{};
  int status = 0;           // of the program
  Summary summary{};        // not judged yet
  int launcher_signal = 0;  // the launcher was killed by it, and not by us
};
JobResult run_job(const Job&);

}  // namespace vouch
