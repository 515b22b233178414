#include "agent/system_view.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "source/stack.h"

namespace vouch {

std::chrono::nanoseconds SystemView::processor_time(int pid) {
  clockid_t clock;
  timespec t{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return {};
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

// "4711 (a name) R ...": what stands behind the name may be in the name too, but not behind the
// last parenthesis.
bool SystemView::runnable(int pid, const std::string& root) {
  std::error_code unknown;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("{}/{}/task", root, pid), unknown)) {
    std::ifstream file(task.path() / "stat");
    std::string text;
    std::getline(file, text);
    if (const std::size_t at = text.rfind(") "); at != std::string::npos && text[at + 2] == 'R')
      return true;
  }
  return false;
}

bool SystemView::has_child(int pid, const std::string& root) {
  std::error_code unknown;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("{}/{}/task", root, pid), unknown)) {
    std::ifstream children(task.path() / "children");
    if (int child = 0; children >> child) return true;
  }
  return false;
}

bool SystemView::crowded() {
  std::ifstream load("/proc/loadavg");
  double average = 0;
  int runnable = 0;
  load >> average >> average >> average >> runnable;
  return load && runnable > ::get_nprocs();
}

std::vector<std::vector<Site>> SystemView::stacks(const Process& process, int pid) {
  std::vector<std::vector<Site>> threads;
  for (const std::vector<StackFrame>& frames : stacks_of(pid)) {
    threads.emplace_back();
    for (const StackFrame& f : frames)
      threads.back().push_back(sites_.intern({f.module, f.offset}));
  }
  // Other findings about calls that it is still in show the way to them, too.
  for (const Thread& t : process.threads) {
    if (t.depth == 0) continue;
    const Site site = t.calls[0].site();
    for (const std::vector<Site>& frames : threads) {
      const auto call = std::find(frames.begin(), frames.end(), site);
      if (call != frames.end()) collector_.running(process.rank, site, {call, frames.end()});
    }
  }
  return threads;
}

std::vector<Site> SystemView::stack_of_call(const Process& process, int pid) {
  for (const std::vector<Site>& frames : stacks(process, pid)) {
    for (const Thread& t : process.threads) {
      if (t.depth == 0) continue;
      const auto call = std::find(frames.begin(), frames.end(), t.calls[0].site());
      if (call != frames.end()) return {call, frames.end()};
    }
  }
  return {};
}

Site SystemView::called_at(int child, std::uint64_t caller) {
  const StackFrame at = frame_at(child, caller);
  return at.module.empty() ? Site{} : sites_.intern({at.module, at.offset});
}

}  // namespace vouch
