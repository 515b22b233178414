// Which deaths are the program's own, and which were brought from outside.
//
// When a rank fails, the launcher ends the others; when vouch or the launcher is stopped, all of
// them. What such a rank was doing is no finding. Deaths are judged in the order in which they were
// noticed: the first abnormal one is the cause, a rank that vanishes without a word after it was
// ended by the launcher. Over several nodes the first that is noticed need not be the first that
// happened: a library gives up when the connection to a dead peer breaks, and says so before the
// peer's own node has said that it is dead. So a process that its library has ended with an error
// of the connection is not the cause if another one hung up before it, or one of another node died
// all by itself: a launcher kills all processes of a node at once.
// One that failed by itself (a fault, MPI_Abort, an exit) goes before silent ones that were gone
// only after it had begun to: a launcher is quick, and its victims may be gone before the one that
// had them ended. Hydra names a process of the node from which it heard of a failure first; which
// one of that node it was it does not know. Where it names one that nobody has seen, and processes
// are missing, the cause is not among those that were seen. Where more wants to run than there are
// processors moments say little. Then one that was outside MPI goes before those that were waiting
// inside, if it is the only one. A death is held back for a moment, because the news of the
// launcher's own end, or of other deaths, may be on its way; a silent first death is held until the
// launcher has ended. Of one that is unknown altogether the launcher's status tells whether it was
// a failure.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "agent/node_clocks.h"
#include "model/process.h"

namespace vouch {

class Deaths {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kHold = std::chrono::milliseconds(100);
  // Deaths of one node that are this close have one cause.
  static constexpr auto kTogether = std::chrono::milliseconds(20);
  // Moments of different nodes are not known better than this.
  static constexpr auto kNews = std::chrono::milliseconds(1);
  // Nor those of one node where many wait for a processor. A launcher takes longer.
  static constexpr auto kDoubt = std::chrono::milliseconds(4);

  struct Death {
    std::size_t process = 0;
    End how = End::exited;
    bool abnormal =
        false;  // nonzero status, no Finalize, a fault, MPI_Abort: the launcher will end the others
    bool silent = false;       // nothing says why
    bool unknown = false;      // not even whether it exited or was killed
    bool gave_up = false;      // its library ended it, with an error that the loss of a peer gives
    bool finalized = false;    // it exited after MPI_Finalize
    int signal = 0;            // that ended it; 0: none is known
    bool outside_mpi = false;  // it was in no MPI call
    bool crowded = false;      // it was noticed when more wanted to run than there are processors
    // The system closes a process's files before it says that the process is dead, which may take
    // a while if there are threads; a launcher acts on the former. By its own node's clock. Of one
    // that failed by itself: when it began to.
    Clock::time_point hung_up{};
    int pid = 0;
    bool stopped = false;  // its agent had told it to end, since its launcher was gone
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
  void launcher_ended(Clock::time_point now, bool killed, bool succeeded = false, int status = -1);

  // A process that the launcher's words name as the first that ended badly; `missing`: there are
  // processes that nobody has seen.
  void launcher_names(int pid, bool missing) {
    named_ = pid;
    missing_ = missing;
  }

  // It has failed by itself: it ends its processes, and no process is the cause of that.
  void launcher_failed() { launcher_failed_ = true; }

  // Those that can be judged by now, in order. `all`: hold nothing back.
  std::vector<Judged> judge(Clock::time_point now, bool all = false);
  bool empty() const { return held_.empty(); }
  NodeClocks& clocks() { return clocks_; }
  // The process that brought the others down; -1: none.
  std::ptrdiff_t cause() const { return cause_; }

 private:
  struct Held {
    Death death;
    Clock::time_point noticed;
  };
  Clock::time_point moment(const Held& held) const {
    return clocks_.here(node(held.death.process), held.death.hung_up);
  }
  bool settled(const Held&, Clock::time_point now) const;
  bool alone(const Held&) const;
  bool lost_before(const Held& peer, const Held& one) const;
  bool launcher_means_another(const Death&) const;
  bool names_one_unseen() const;
  bool over_nodes() const;
  void order_nodes();
  void put_the_cause_first();
  void put_first(std::deque<Held>::iterator);
  std::deque<Held>::iterator suspect();
  std::deque<Held>::iterator first_of_named_node();
  std::deque<Held>::iterator failed_first();

  std::deque<Held> held_;
  NodeClocks clocks_;
  std::ptrdiff_t cause_ = -1;
  bool cause_finalized_ = false;
  int status_ = -1, named_ = 0;
  bool missing_ = false;
  bool cause_gave_up_ = false;  // then others that did so are no consequence of it
  std::optional<Clock::time_point> launcher_ended_;
  bool stopping_ = false, launcher_killed_ = false, launcher_succeeded_ = false,
       launcher_failed_ = false;
};

}  // namespace vouch
