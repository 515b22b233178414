// A schedule in the form in which ranks follow it (record/plan.h), and what it says of a
// divergence.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "event/event.h"
#include "policy/schedule.h"

namespace vouch::policy {

// Of its normal form; even an empty one has a header, so that a run that follows it is recorded
// like any that follows one.
std::vector<std::byte> encode_plan(const Schedule&);

// Meta::diverged as words: "match 3 should take a message from rank 7 of the communicator, which
// has 4 processes".
std::string explain_divergence(const Event& diverged);

}  // namespace vouch::policy
