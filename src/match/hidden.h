// Why calls on a communicator are not compared with those of its other members: some of these are
// not known, or not seen.

#pragma once

#include <cstdint>

#include "model/world.h"

namespace vouch {

enum class Hidden : std::uint8_t {
  no,
  world,      // a spawned world of which it is not known who belongs to it
  other_end,  // it leads to processes of which it is not known who they are
  inter,      // an inter-communicator, and the job is watched by several agents
  members,    // nobody watches some of its members
  count_
};

Hidden hidden(const World&, const Process&, const Communicator&);

// "inter-communicators are not followed over several nodes"
const char* reason(Hidden);

}  // namespace vouch
