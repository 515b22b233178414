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

using For = Pause::ThreadWait::For;

// Procedures that return once another thread has done something, as their symbols are called
// without leading underscores: what other libraries build theirs on.
struct Waits {
  std::string_view symbol;
  For what;
  std::string_view name = symbol;
};
constexpr Waits kWaits[] = {
    {"pthread_mutex_lock", For::lock},
    {"pthread_rwlock_rdlock", For::lock},
    {"pthread_rwlock_wrlock", For::lock},
    {"pthread_spin_lock", For::lock},
    {"mtx_lock", For::lock},
    {"GOMP_critical_start", For::lock},
    {"GOMP_critical_name_start", For::lock},
    {"omp_set_lock", For::lock},
    {"omp_set_nest_lock", For::lock},
    {"kmpc_critical", For::lock},
    {"kmpc_critical_with_hint", For::lock},
    {"pthread_cond_wait", For::condition},
    {"cnd_wait", For::condition},
    {"sem_wait", For::semaphore},
    {"pthread_join", For::end_of_thread},
    {"thrd_join", For::end_of_thread},
    {"ZNSt6thread4joinEv", For::end_of_thread, "std::thread::join"},
    {"pthread_barrier_wait", For::barrier},
};
constexpr std::string_view kFuture = "ZNSt28__atomic_futex_unsigned_base";

std::optional<Waits> waits_in(std::string_view function) {
  for (const Waits& row : kWaits) {
    if (row.symbol == function) return row;
  }
  if (function.starts_with(kFuture)) return Waits{function, For::future, "std::future"};
  return std::nullopt;
}

bool in_module(const StackFrame& frame, std::initializer_list<std::string_view> starts) {
  const std::string_view module = frame.module;
  const std::string_view name = module.substr(module.rfind('/') + 1);
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

bool in_openmp(const StackFrame& frame) { return in_module(frame, {"libgomp", "libomp"}); }

// Their threads say nothing about the program.
bool in_other_runtime(const StackFrame& frame) {
  return in_module(frame,
                   {"libmpi", "libopen-", "libpmix", "libuc", "libvouch", "python", "libpython"});
}

// Deep in the C library, in what has no name to others: the wait for a semaphore or a thread's end.
// What sleeps in the system in another way has a name, such as poll.
bool sleeps_unnamed(std::span<const StackFrame> frames) {
  const auto outside = std::find_if_not(frames.begin(), frames.end(), [](const StackFrame& frame) {
    return in_module(frame, {"libc.so", "libc-", "libpthread"});
  });
  return outside != frames.begin() && outside != frames.end() &&
         std::all_of(frames.begin(), outside, [](const StackFrame& frame) {
           return frame.function.empty() || frame.function == "syscall";
         });
}

}  // namespace

std::optional<Pause::ThreadWait> SystemView::thread_wait(const Process& process,
                                                         const std::vector<StackFrame>& frames) {
  if (in_mpi(process, frames) || std::any_of(frames.begin(), frames.end(), in_other_runtime))
    return std::nullopt;
  Pause::ThreadWait wait;
  auto caller = frames.begin();
  for (; caller != frames.end(); ++caller) {
    if (const std::optional<Waits> known = waits_in(caller->function)) {
      wait.what = known->what;
      wait.procedure = known->name;
      ++caller;
      break;
    }
  }
  if (wait.procedure.empty()) {
    // OpenMP's own procedures may have left no frame: whether it is a critical region or a barrier
    // is not to be seen.
    caller = std::find_if(frames.begin(), frames.end(), in_openmp);
    if (caller != frames.end()) {
      wait.what = For::openmp;
    } else if (sleeps_unnamed(frames)) {
      caller = frames.begin();
    }
  }
  const auto inside = [](const StackFrame& frame) {
    return in_openmp(frame) || in_module(frame, {"libc.so", "libc-", "libpthread", "libstdc++"});
  };
  caller = std::find_if_not(caller, frames.end(), inside);
  if (caller == frames.end()) return std::nullopt;
  wait.at = caller_in_program({caller, frames.end()});
  return wait;
}

std::vector<Pause::ThreadWait> SystemView::thread_waits(const Process& process, int pid) {
  constexpr std::size_t kMost = 4;  // places of one process
  std::vector<Pause::ThreadWait> all;
  for (const std::vector<StackFrame>& frames : stacks_of(pid)) {
    std::optional<Pause::ThreadWait> wait = thread_wait(process, frames);
    if (!wait) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const Pause::ThreadWait& other) {
      return other.at == wait->at && other.what == wait->what;
    });
    if (same != all.end())
      ++same->threads;
    else
      all.push_back(std::move(*wait));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return (a.what == For::lock) > (b.what == For::lock);
  });
  all.resize(std::min(all.size(), kMost));
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

// Not in a header of the C++ library, say that of std::mutex, nor in what that calls.
Site SystemView::caller_in_program(std::span<const StackFrame> frames) {
  for (const StackFrame& frame : frames) {
    const Site site = sites_.intern({frame.module, frame.offset});
    if (!sites_.in_runtime(site) && !sites_.resolve(site).path.starts_with("/usr/include/"))
      return site;
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
