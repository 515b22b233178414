// Messages that a thread has probed and is going to receive, and who may take them first.
//
// MPI-4.1 3.8.2: with several threads the message that MPI_Probe saw may be gone when its thread
// receives it. It is a fact if another thread enters a receive that fits the message while the
// thread that probed has entered its own, which is held back: then nothing orders the two. A
// receive that comes between the probe and the receive proves nothing: the thread that probed may
// have told the other one to receive.

#pragma once

#include <cstdint>
#include <vector>

#include "analysis/thread/conflict.h"
#include "model/per_process.h"

namespace vouch {

class Probes {
 public:
  struct Race {
    int thread;  // that probed
    Site probe;
    Proc by;
    const Call* receive;
  };

  // A call of a process with several threads is entered. True: it may take what another thread has
  // probed.
  bool enter(Process&, const Call&, const Share&, Race&);
  void leave(Process&, const Call&, const Share&, const Event& leave);
  // The thread has probed a message that it has not received yet.
  bool waits(const Process&, int thread) const;

 private:
  struct Seen {
    bool valid = false;
    bool taken = false;         // another receive that fits came in between
    std::uint32_t receive = 0;  // the held call that is going to take it
    std::uint64_t comm = 0;
    std::int64_t source = 0, tag = 0;
    Site site;
    Proc by = Proc::none;
  };
  static bool fits(const Seen&, const Call&, const Share&);
  PerProcess<std::vector<Seen>> processes_;  // by thread
};

}  // namespace vouch
