// Checks of ourselves that cost more than what they check: they look through a whole structure.
//
// Made where the environment has VOUCH_SLOW_CHECKS, as in our own unit tests.

#pragma once

#include "base/check.h"

namespace vouch {

extern const bool slow_checks;

}  // namespace vouch

#define VOUCH_CHECK_SLOW(condition) VOUCH_CHECK(!::vouch::slow_checks || (condition))
