// Programs as event text (event/text.h).

#pragma once

#include <random>
#include <string>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

// In the order of the program.
std::string text_of(const Program&);
// Each rank's records in its order, those of the ranks mixed at random; `random` draws how.
std::string text_in_any_order(const Program&, std::mt19937& random);

}  // namespace vouch::rma_programs
