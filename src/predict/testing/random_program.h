// Small random trace programs for tests, the same for the same seed.

#pragma once

#include <cstdint>

#include "predict/program/ctp.h"

namespace vouch::predict {

struct RandomShape {
  int max_processes = 4, max_messages = 8;
  bool tags = true;
  bool non_blocking = true;   // receives posted before their wait, sends completed by a wait
  bool barriers = true;       // over all processes
  bool surplus_sends = true;  // messages nobody receives
  bool disorder = true;       // some receives stand before the send that was made for them
  bool conditions = false;    // values, assumptions, assertions
  bool wildcards_only = false;
  bool modes = false;        // synchronous and buffered sends
  bool collectives = false;  // other than barriers, some of them not blocking
  bool probes = false;
  bool communicators = false;  // a second context
};

Program random_program(std::uint64_t seed, const RandomShape& = {});

}  // namespace vouch::predict
