// Whether processes move: what they have called, how often they only asked in vain, and how long
// they had a processor.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/deadlock/pause.h"
#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

// By process, until now. 0: nobody knows.
std::vector<std::chrono::nanoseconds> processor_times(const World&, const Pause&);

class Progress {
 public:
  void called(const Process& process) { ++all_[process].called; }
  void asked_in_vain(const Process& process) { ++all_[process].asked_in_vain; }
  void read_clock(const Process& process) { ++all_[process].wtimes; }
  void repeated(const Process& process, std::uint64_t times) { all_[process].called += times; }

  // Before each look at all of them.
  void watch(const Pause&);
  // It has done nothing but ask, again and again, for a while.
  bool polls_without_end(const Process& process) const {
    const One* its = all_.find(process);
    return its != nullptr && its->lasts;
  }
  bool any_polls_without_end() const;
  // Meanwhile it learns that time passes: by what it does once the loop is under way.
  bool time_passes(const Process& process) const {
    const One* its = all_.find(process);
    return its != nullptr && its->time_passes;
  }
  // It does more than ask: it has used the processor for more than its questions take.
  bool works_meanwhile(const Process&, const Pause&) const;
  // Calls of each process that were more than asking in vain.
  std::vector<std::uint64_t> calls() const;
  static constexpr auto kLoopPatience = std::chrono::seconds(2);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct One {
    std::uint64_t called = 0, asked_in_vain = 0;
    // As the last look found it.
    std::uint64_t calls = 0, polls = 0;
    std::uint64_t first = 0;  // polls until `since`
    Time since{};
    // Since it asked last, without what it waited to run; from the start: forever.
    std::chrono::nanoseconds silent = std::chrono::nanoseconds::max();
    std::chrono::nanoseconds worked{};  // until the last look
    bool lasts = false;
    std::uint64_t wtimes = 0;  // calls of MPI_Wtime
    std::optional<std::uint64_t> time_before{};
    std::chrono::nanoseconds worked_before{};  // when the loop was under way, and
    std::uint64_t polls_before = 0;            // how often it had asked by then
    bool time_passes = false;
  };
  void count_silence(One&, std::size_t index, const Pause&);
  PerProcess<One> all_;
  std::optional<Time> looked_{};
};

}  // namespace vouch
