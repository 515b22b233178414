// The output of a helper program (a launcher's --version, Python's search path), bounded in time.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace vouch {

struct Captured {
  int status = 0;      // exit status; 128 + signal
  std::string output;  // standard output and standard error
};

Result<Captured> capture(const std::vector<std::string>& command, int timeout_ms = 10000);

}  // namespace vouch
