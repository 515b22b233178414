// What the system says of a rank's process, beyond its records.

#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/deadlock/pause.h"
#include "model/process.h"
#include "report/collector.h"
#include "source/site_table.h"
#include "source/stack.h"

namespace vouch {

class SystemView {
 public:
  SystemView(SiteTable& sites, Collector& collector) : sites_(sites), collector_(collector) {}

  // How long it has had a processor; 0: nobody knows.
  static std::chrono::nanoseconds processor_time(int pid);
  // Whether one of its threads has a processor or waits for one. `root` as below.
  static bool runnable(int pid, const std::string& root = "/proc");
  // Neither dead nor on its way out; nothing: the system does not say.
  static std::optional<bool> lives(int pid, const std::string& root = "/proc");
  // One that lives and may share memory with it. `root` for tests: where the processes are.
  static bool has_child(int pid, const std::string& root = "/proc");
  // More wants to run than there are processors, so what happens is noticed late and in any order.
  static bool crowded();
  // The frames of each of its threads, innermost first.
  std::vector<std::vector<Site>> stacks(const Process&, int pid);
  // Its threads that wait for another one, outside MPI; those that wait for locks first.
  std::vector<Pause::ThreadWait> thread_waits(const Process&, int pid);
  // Of the thread that is in an MPI call, from there outwards.
  std::vector<Site> stack_of_call(const Process&, int pid);
  // Where a forked child called.
  Site called_at(int child, std::uint64_t caller);

 private:
  std::optional<Pause::ThreadWait> thread_wait(const Process&, const std::vector<StackFrame>&);
  bool in_mpi(const Process&, const std::vector<StackFrame>&);
  Site caller_in_program(std::span<const StackFrame>);

  SiteTable& sites_;
  Collector& collector_;
};

}  // namespace vouch
