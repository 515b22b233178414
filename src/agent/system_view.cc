#include "agent/system_view.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "base/read_file.h"

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

std::optional<bool> SystemView::lives(int pid, const std::string& root) {
  constexpr unsigned long kExiting = 4;  // PF_EXITING, long part of what the system shows
  if (!read_file(root + "/self/stat")) return std::nullopt;
  const std::string text = read_file(fmt::format("{}/{}/stat", root, pid)).value_or("");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(text.substr(name_end + 1));
  char state = 'X';
  long parent = 0, group = 0, session = 0, terminal = 0, foreground = 0;
  unsigned long flags = kExiting;
  fields >> state >> parent >> group >> session >> terminal >> foreground >> flags;
  return state != 'Z' && state != 'X' && (flags & kExiting) == 0;
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

namespace {

// A procedure that returns once the caller has a lock: what other libraries build theirs on.
bool takes_lock(std::string_view function) {
  static constexpr std::string_view kThese[] = {"pthread_mutex_lock",
                                                "pthread_rwlock_rdlock",
                                                "pthread_rwlock_wrlock",
                                                "pthread_spin_lock",
                                                "mtx_lock",
                                                "GOMP_critical_start",
                                                "GOMP_critical_name_start",
                                                "omp_set_lock",
                                                "omp_set_nest_lock",
                                                "kmpc_critical",
                                                "kmpc_critical_with_hint"};
  return std::find(std::begin(kThese), std::end(kThese), function) != std::end(kThese);
}

bool in_openmp(const StackFrame& frame) {
  const std::string_view module = frame.module;
  const std::string_view name = module.substr(module.rfind('/') + 1);
  return name.starts_with("libgomp") || name.starts_with("libomp");
}

}  // namespace

std::vector<Pause::LockWait> SystemView::lock_waits(const Process& process, int pid) {
  std::vector<Pause::LockWait> all;
  for (const std::vector<StackFrame>& frames : stacks_of(pid)) {
    const auto lock = std::find_if(frames.begin(), frames.end(), [](const StackFrame& frame) {
      return takes_lock(frame.function);
    });
    // OpenMP's own procedures may have left no frame: whether it is a critical region or a barrier
    // is not to be seen.
    const bool named = lock != frames.end();
    auto caller = named ? lock + 1 : std::find_if(frames.begin(), frames.end(), in_openmp);
    caller = std::find_if_not(caller, frames.end(), in_openmp);
    if (caller == frames.end() || in_mpi(process, frames)) continue;
    all.push_back({caller_in_program({caller, frames.end()}), named ? lock->function : ""});
  }
  return all;
}

// The library has locks of its own.
bool SystemView::in_mpi(const Process& process, const std::vector<StackFrame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [&](const StackFrame& frame) {
    const Site site = sites_.intern({frame.module, frame.offset});
    return std::any_of(process.threads.begin(), process.threads.end(),
                       [&](const Thread& t) { return t.depth > 0 && t.calls[0].site() == site; });
  });
}

// Not in a header of the C++ library, say that of std::mutex.
Site SystemView::caller_in_program(std::span<const StackFrame> frames) {
  for (const StackFrame& frame : frames) {
    const Site site = sites_.intern({frame.module, frame.offset});
    if (!sites_.resolve(site).path.starts_with("/usr/include/")) return site;
  }
  return sites_.intern({frames[0].module, frames[0].offset});
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
