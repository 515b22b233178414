// Reports of several agents made into one.
//
// What one agent would have told as one finding is one finding: the same rule, places and cause
// (Collector). Its text is that of the lowest rank.

#pragma once

#include "report/finding.h"

namespace vouch {

// Findings, gaps, statistics, notes; then order and verdict are made again.
void merge(Summary& into, Summary from);

}  // namespace vouch
