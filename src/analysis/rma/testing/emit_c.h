// Programs as C, to be run.

#pragma once

#include <string>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

// A function `static void NAME(void)` and what it needs. Who calls it has a variable `rank`. The
// line of a call ends in its mark: "// @NAME.SITE".
std::string c_of(const Program&, const std::string& name);

}  // namespace vouch::rma_programs
