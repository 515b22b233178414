// vouch run: check one run of a program.

#pragma once

#include "run/options.h"

namespace vouch {

// Runs, reports, and returns the exit status.
int run(const RunOptions&);

// The same in parts. refused: why not has been said, and this is the exit status.
struct Prepared {
  int refused = 0;
  Job job{};
};
Prepared prepare(const RunOptions&);
struct Ran {
  int refused = 0;
  int status = 0;           // of the program
  Summary summary{};        // not judged yet
  int launcher_signal = 0;  // the launcher was killed by it, and not by us
};
Ran run_prepared(const Prepared&, const RunOptions&);

// libvouch.so that belongs to this vouch, in the build tree or installed; "" if it is missing.
std::string find_shim();
// The back end for a library, beside libvouch.so.
std::string find_back_end(MpiKind);

}  // namespace vouch
