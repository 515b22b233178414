// Whether an agent that somebody waits for still does anything.
//
// Wall time alone says little: on a busy machine the agent may get no processor for a long time,
// and a large step takes as long as it takes. So it is asked what the agent does when it makes no
// progress. While it can run but is not given a processor nothing counts. Rest counts: it is
// stopped, or asleep. Work within one step counts too, in its own processor time, but has a larger
// budget.
//
// Runs inside ranks as well: no allocation, no exception, and system calls that are no cancellation
// points.

#pragma once

#include <cstdint>

namespace vouch {

inline constexpr int kPatienceMs = 5000;
inline constexpr const char* kPatienceVariable = "VOUCH_PATIENCE";  // milliseconds
int patience_from_environment();

class AgentWatch {
 public:
  enum class Counts {
    all_rest,  // for one who waits for the agent's next step
    stopped,   // for one who would end it: only where it is stopped. Sleep is like work
  };

  // `pid`: 0: it cannot be seen from here, and only its progress tells. `slice_ms`: about the time
  // between two looks.
  AgentWatch(int pid, int patience_ms, int slice_ms, Counts counts = Counts::all_rest);

  // `progress`: anything that changes with the agent's steps. True: it has done nothing for too
  // long.
  bool gave_out(std::uint64_t progress);
  // The same where its steps cannot be seen yet: processor time that it takes is progress.
  bool gave_out();

 private:
  bool look(bool progressed, bool time_is_progress);

  int pid_;
  Counts counts_;
  std::uint64_t patience_ns_, slice_ns_;
  std::uint64_t progress_ = 0;
  std::uint64_t looked_ns_;
  std::uint64_t time_ns_ = 0;  // its processor time at the last look
  std::uint64_t idle_ns_ = 0, busy_ns_ = 0;
};

}  // namespace vouch
