// By what a finding is known again, by another agent or later in the run: its rule, its cause and
// its lines, or what its lines have in common. Ranks, counts, words and consequences may have
// changed.

#pragma once

#include <string>

#include "report/finding.h"

namespace vouch {

std::string identity(const Finding&);

}  // namespace vouch
