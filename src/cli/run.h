// vouch run: check one run of a program.

#pragma once

#include "cli/options.h"

namespace vouch {

// Runs, reports, and returns the exit status.
int run(const RunOptions&);

// libvouch.so that belongs to this vouch, in the build tree or installed; "" if it is missing.
std::string find_shim();
// The back end for a library, beside libvouch.so.
std::string find_back_end(MpiKind);

}  // namespace vouch
