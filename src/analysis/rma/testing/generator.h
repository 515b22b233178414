// Random programs that use epochs as they should. Whether they race is left to chance.
//
// Calls are drawn in the order of time, and only those that can go on, so no program waits forever
// in that order. Those that shall be run keep to more: who holds a lock where others may hold an
// exclusive one waits for nobody, so they end in any order.

#pragma once

#include <random>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

struct Shape {
  int ranks = 3;
  int steps = 30;
  bool runnable = false;  // else only its text is wanted
  bool repeated = false;  // calls of a rank stand at few sites, as in loops
};

Program random_program(std::mt19937&, const Shape&);

}  // namespace vouch::rma_programs
