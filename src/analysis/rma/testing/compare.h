// An analysis against the reference.

#pragma once

#include <random>
#include <string>

#include "analysis/rma/testing/program.h"
#include "analysis/rma/testing/reference.h"
#include "analysis/testing/run_text.h"

namespace vouch::rma_programs {

// The places of the races that are found, the ranks being read in the order of this text.
std::set<Pair> found(const std::string& text, const MakeAnalyses&);

// "" if the same races are found in all of so many random orders of reading. Otherwise what
// differs, in a program made as small as it goes.
std::string difference(const Program&, const MakeAnalyses&, std::mt19937&, int orders);

}  // namespace vouch::rma_programs
