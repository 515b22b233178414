// How far a job has come, as one of its agents sees it. It only ever goes on.

#pragma once

#include <cstdint>

namespace vouch {

enum class JobStage : std::uint8_t {
  gathering,   // who watches which rank is not known yet: no record is read
  running,     // records are read as they come
  closing,     // no rank is left: what is still open is decided
  concluding,  // all that can be known is: what is left is told, the summaries come
  over,
};

}  // namespace vouch
