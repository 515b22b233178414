// A moment in which the ranks are looked at: all their records were read, or a while has passed.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"

namespace vouch {

struct Pause {
  std::chrono::steady_clock::time_point now;
  std::span<const std::uint64_t> polls;  // unpublished polls of each process so far, by its index
  // Where the process with this index is now: the frames of each of its threads, innermost first.
  // May be empty, and say nothing.
  std::function<std::vector<std::vector<Site>>(std::size_t)> stacks{};
  // How long it has had a processor so far. May be empty; 0: nobody knows.
  std::function<std::chrono::nanoseconds(std::size_t)> worked{};
  // Whether it could run now. May be empty: it has a processor whenever it wants one.
  std::function<bool(std::size_t)> runnable{};
  // Whether, but for these threads, each of which is inside this call, no thread of the process
  // with this index will ever act again by itself, and all that the process has done was read. May
  // be empty: there are no such threads.
  struct OpenCall {
    int thread;
    std::uint32_t seq;
  };
  std::function<bool(std::size_t, std::span<const OpenCall>)> others_rest{};
  // Whether the process with this index, of whose threads one calls MPI, has no other thread that
  // will ever act again by itself. May be empty: there are no such threads.
  std::function<bool(std::size_t)> one_acts{};
  // What it has done about time and the world outside MPI. May be empty: nothing.
  struct TimeUse {
    std::uint64_t asked = 0;  // changes when it reads a clock, sleeps, or looks at a file
    bool timer = false;       // one was set, or the handler of a signal, and may run at any time
  };
  std::function<TimeUse(std::size_t)> time_use{};
  // Threads of it that sleep outside MPI until another one wakes them. May be empty, and say
  // nothing.
  struct ThreadWait {
    enum class For : std::uint8_t {
      lock,
      condition,
      semaphore,
      end_of_thread,
      barrier,
      future,
      openmp,  // a lock or other threads: which of them is not to be seen
      wake     // a thread that wakes it, nobody knows by what
    };
    Site at{};
    std::string procedure;  // that waits, such as pthread_mutex_lock; "": not known
    For what = For::wake;
    int threads = 1;  // that wait there so
  };
  std::function<std::vector<ThreadWait>(std::size_t)> thread_waits{};
  // Whether it has a child, which may change memory that it looks at. May be empty: it has none.
  std::function<bool(std::size_t)> has_child{};
};

}  // namespace vouch
