// Tries a rank alone (explore/alone.h): a run of the whole job that repeats a known one, and then,
// without the job, all other orders of that rank's messages.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "explore/alone.h"
#include "run/session.h"

namespace vouch {

struct TriedAlone {
  bool whole = false;
  std::uint64_t same = 0;
  bool sources_vary = false;
  std::vector<std::vector<std::pair<int, int>>> differing{};  // event, source in its communicator
  std::string why{};
};

// `schedule`: of the run that is repeated. `stop` is asked now and then.
TriedAlone try_alone(const Session&, const explore::AlonePlan&, const policy::Schedule& schedule,
                     std::uint32_t seconds, const std::function<bool()>& stop);

}  // namespace vouch
