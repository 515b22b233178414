// Whether threads that are in no call of MPI keep a process from being stuck.
//
// A thread outside MPI may compute, or sleep for a while, and send then what everybody waits for.
// So its process counts as running, whatever its other threads are in. It does not once no such
// thread can act by itself any more: each is gone, or sleeps until another thread of the process
// wakes it (a lock, a join, a condition, the idle pool of OpenMP). The agent asks the system for
// that (Pause::others_rest); threads that the MPI library made for itself do not count.

#include "analysis/deadlock/deadlock.h"

namespace vouch {

void DeadlockSearch::look_at_threads(const Pause& pause) {
  looked_at_threads_ = true;
  std::vector<Pause::OpenCall> open;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.end != End::alive) continue;
    // Once one thread is in MPI_Finalize no other one may call MPI (MPI-4.1 11.6.2).
    if (process.phase >= Phase::finalizing) feed_->rests(process, true);
    if (!feed_->counts_threads(process)) continue;
    open.clear();
    bool all_wait = true, followed = true;
    for (const Thread& t : process.threads) {
      if (t.depth == 0) continue;
      const bool follows = feed_->inside(process, t);
      followed = followed && follows;
      all_wait = all_wait && (follows || broken_.is_broken(process, t));
      open.push_back({t.number, t.calls[static_cast<std::size_t>(t.depth) - 1].seq()});
    }
    // One that asks again and again is in a call most of the time, and that is known.
    if (open.empty() && process.threads.size() == 1 && progress_.polls_without_end(process))
      open.push_back({process.threads[0].number, 0});
    const bool rests =
        all_wait && !open.empty() && (!pause.others_rest || pause.others_rest(i, open));
    feed_->rests(process, rests, followed);
  }
}

}  // namespace vouch
