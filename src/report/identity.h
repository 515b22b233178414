// By what a finding is known again, by another agent or later in the run: its rule, its cause and
// its lines, or what its lines have in common. Ranks, counts, words and consequences may have
// changed.

#pragma once

#include <string>

#include "report/finding.h"

namespace vouch {

std::string identity(const Finding&);
// By its lines alone, whatever else they have in common.
std::string identity_by_places(const Finding&);

}  // namespace vouch
