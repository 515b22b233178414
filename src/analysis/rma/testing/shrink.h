// A smaller program that still does what a test has failed for, or that has fewer races. Epochs
// stay whole: what opens one goes only together with what closes it and what lies in it.

#pragma once

#include <functional>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

// Without that call; who waits for its request no longer does.
Program without(const Program&, std::size_t call);

// Leaves out what it can while `wanted` holds.
Program shrink(Program, const std::function<bool(const Program&)>& wanted);

// Leaves out operations that race, and moves message buffers out of their way, until so many pairs
// of places are left, or fewer.
Program with_races(Program, std::size_t most);

}  // namespace vouch::rma_programs
