// Which deaths are the program's own, and which were brought from outside.
//
// When a rank fails, the launcher ends the others; when vouch or the launcher is stopped, all of
// them. What such a rank was doing is no finding. Deaths are judged in the order in which they were
// noticed: the first abnormal one is the cause, a rank that vanishes without a word after it was
// ended by the launcher. Over several nodes the first that is noticed need not be the first that
// happened: a library gives up when the connection to a dead peer breaks, and says so before the
// peer's own node has said that it is dead. So a process that its library has ended with an error
// of the connection is not the cause if one of another node was killed before, or all by itself:
// a launcher kills all processes of a node at once.
// A death is held back for a moment, because the news of the launcher's own
// end may be on its way; a silent first death is held until the launcher has ended. Of one that is
// unknown altogether the launcher's status tells whether it was a failure.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/process.h"

namespace vouch {

class Deaths {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kHold = std::chrono::milliseconds(100);
  // Deaths of one node that are this close have one cause.
  static constexpr auto kTogether = std::chrono::milliseconds(20);

  struct Death {
    std::size_t process = 0;
    End how = End::exited;
    bool abnormal =
        false;  // nonzero status, no Finalize, a fault, MPI_Abort: the launcher will end the others
    bool silent = false;     // nothing says why
    bool unknown = false;    // not even whether it exited or was killed
    bool gave_up = false;    // its library ended it, with an error that the loss of a peer gives
    bool finalized = false;  // it exited after MPI_Finalize
    int signal = 0;          // that ended it; 0: none is known
    // Among the processes of its node: when it hung up. The system closes a process's files before
    // it says that the process is dead, which may take a while if there are threads; a launcher
    // acts on the former.
    std::uint64_t order = 0;
  };
  struct Judged {
    std::size_t process = 0;
    End how = End::exited;
    bool from_outside =
        false;  // and `how` is exited: because of one that had exited after MPI_Finalize
    bool gave_up = false;
  };

  // Processes of all nodes have one number each; those of the first node (the root's) keep theirs.
  static std::size_t number(int node, std::uint64_t local) {
    return (static_cast<std::size_t>(node) << 32) | local;
  }
  static int node(std::size_t process) { return static_cast<int>(process >> 32); }
  static std::size_t local(std::size_t process) { return process & 0xffffffff; }

  // Deaths noticed at the same time: those with a known reason go first, since a launcher kills
  // silently.
  void add(std::vector<Death> batch, Clock::time_point now);
  // The job is being stopped from outside (time limit, interrupt): every abnormal death from now on
  // comes from there.
  void stopping() { stopping_ = true; }
  // The launcher is gone; `killed`: by a signal that was not the program's doing. `succeeded`: it
  // exited with status 0, so none of its processes was killed. `status`: that of the first of its
  // processes that failed, in the launcher's way; -1: not known.
  void launcher_ended(bool killed, bool succeeded = false, int status = -1);

  // It has failed by itself: it ends its processes, and no process is the cause of that.
  void launcher_failed() { launcher_failed_ = true; }

  // Those that can be judged by now, in order. `all`: hold nothing back.
  std::vector<Judged> judge(Clock::time_point now, bool all = false);
  bool empty() const { return held_.empty(); }
  // The process that brought the others down; -1: none.
  std::ptrdiff_t cause() const { return cause_; }

 private:
  struct Held {
    Death death;
    Clock::time_point noticed;
  };
  bool alone(const Held&) const;
  bool launcher_means_another(const Death&) const;
  void put_the_lost_peer_first();

  std::deque<Held> held_;
  std::ptrdiff_t cause_ = -1;
  bool cause_finalized_ = false;
  int status_ = -1;
  bool cause_gave_up_ = false;  // then others that did so are no consequence of it
  bool stopping_ = false, launcher_ended_ = false, launcher_killed_ = false,
       launcher_succeeded_ = false, launcher_failed_ = false;
};

}  // namespace vouch
