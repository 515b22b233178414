// What the threads of a process do, as the system tells it.
//
// A thread that is in no call of MPI may compute, or sleep until a time or an event comes, and call
// MPI then. It cannot by itself once it waits without a limit for a word of the process's memory (a
// futex): a lock, a join, a condition, the idle pool of OpenMP. Only another thread of the process
// ends that. If all of them wait so at once, none ever acts again. That they do *at once* follows
// from two looks: who has not been on a processor in between has slept all the time.
//
// Counts as awake: a word in memory that is not private to the process (unless it is that of a
// join), since another process may change it; a thread of which the system tells nothing.

#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace vouch {

class ThreadWatch {
 public:
  // `root` for tests: where the processes are.
  explicit ThreadWatch(int pid, std::string root = "/proc");
  // Whether all threads but these, numbered as the process itself sees them, sleep for good since
  // the look before this one, or are gone. At once if there are no others.
  bool others_sleep(std::span<const int> apart);

 private:
  struct Sleeper {
    int tid = 0;
    std::uint64_t turns = 0;  // on a processor so far
    bool operator==(const Sleeper&) const = default;
  };
  bool sleeps_for_good(const std::string& task) const;

  std::string tasks_;
  bool nested_ = false;  // in a namespace of its own: there the numbers are others
  std::vector<int> tids_;
  std::vector<Sleeper> before_;
  std::set<int> gone_;  // were set apart and have ended: the system may use their numbers again
};

}  // namespace vouch
