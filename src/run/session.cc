#include "run/session.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shared_word.h"
#include "run/run_job.h"

namespace vouch {
namespace {

std::string contents(int fd) {
  std::string text;
  struct stat info;
  if (::fstat(fd, &info) != 0) return text;
  text.resize(static_cast<std::size_t>(info.st_size));
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

void empty(int file) {
  if (file >= 0 && ::ftruncate(file, 0) == 0) ::lseek(file, 0, SEEK_SET);
}

bool asks_who_is_near(const Summary& summary) {
  return std::any_of(summary.statistics.begin(), summary.statistics.end(), [](const auto& entry) {
    return entry.first.starts_with("MPI_Comm_split_type") ||
           entry.first.starts_with("MPI_Win_allocate_shared");
  });
}

// Why the run did not follow the schedule it was given; nullptr: it did.
const NotChecked* left_schedule(const Summary& summary) {
  for (const NotChecked& gap : summary.not_checked) {
    if (gap.what == kTheSchedule) return &gap;
  }
  return nullptr;
}

std::chrono::milliseconds limit_after(std::uint32_t longest) {
  return std::max<std::chrono::milliseconds>(std::chrono::seconds(60),
                                             20 * std::chrono::milliseconds(longest));
}

}  // namespace

Session Session::open(const RunOptions& options) {
  Session session;
  RunOptions of_session = options;
  of_session.quick = true;
  of_session.trace.clear();
  of_session.schedule.reset();
  session.prepared_ = prepare(of_session);
  session.prepared_.job.discarded = true;
  if (std::getenv("MPIR_CVAR_NOLOCAL") == nullptr) session.nearness_ = shared_word();
  if (!options.timeout) session.longest_ = shared_word();
  return session;
}

Session Session::with(const std::string& name, const std::string& value) const {
  Session other = *this;
  other.prepared_.job.environment.emplace_back(name, value);
  return other;
}

SessionRun Session::run(const policy::Schedule& schedule, int events, bool output) const {
  if (prepared_.job.direct == 0 || nearness_ == nullptr)
    return steadily(schedule, events, output, false);
  const bool apart = nearness_->load() == no_matter;
  SessionRun shown = steadily(schedule, events, output, apart);
  if (!asks_who_is_near(shown.summary)) {
    std::uint32_t expected = unknown;
    nearness_->compare_exchange_strong(expected, no_matter);
    return shown;
  }
  nearness_->store(matters);
  if (!apart) return shown;
  // It got another answer than it would have got: once more.
  empty(events);
  return steadily(schedule, events, output, false);
}

SessionRun Session::steadily(const policy::Schedule& schedule, int events, bool output,
                             bool apart) const {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    SessionRun shown = once(schedule, events, output, apart);
    if (shown.launcher_signal == 0 || !shown.failed.empty()) return shown;
    if (attempt == kAttempts) {
      shown.failed =
          fmt::format("the launcher {} was killed by SIG{}, {} times in a row",
                      prepared_.job.command[0], ::sigabbrev_np(shown.launcher_signal), kAttempts);
      return shown;
    }
    empty(events);
  }
}

SessionRun Session::once(const policy::Schedule& schedule, int events, bool output,
                         bool apart) const {
  const auto begun = std::chrono::steady_clock::now();
  Prepared mine = prepared_;
  mine.job.schedule = std::make_shared<policy::Schedule>(schedule);
  mine.job.trace = events;
  mine.job.trace_path = "memory";
  if (apart) mine.job.environment.emplace_back("MPIR_CVAR_NOLOCAL", "1");
  if (output) mine.job.output = ::memfd_create("vouch-output", MFD_CLOEXEC);
  const std::uint32_t longest = longest_ != nullptr ? longest_->load() : 0;
  if (longest > 0) mine.job.timeout = limit_after(longest);
  const JobResult ran = run_job(mine.job);
  SessionRun shown;
  if (output && mine.job.output >= 0) {
    shown.output = contents(mine.job.output);
    ::close(mine.job.output);
  }
  if (ran.refusal) shown.failed = ran.refusal.why;
  shown.status = ran.status;
  shown.summary = ran.summary;
  shown.launcher_signal = ran.launcher_signal;
  if (const NotChecked* gap = left_schedule(shown.summary); gap != nullptr)
    shown.left = gap->where.empty() ? gap->reason : gap->reason + " at " + gap->where;
  shown.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  const auto took =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(shown.took.count(), 1, 1 << 30));
  const bool ended = mine.job.timeout && shown.took >= *mine.job.timeout;
  if (longest_ != nullptr && !ended && took > longest_->load()) longest_->store(took);
  return shown;
}

}  // namespace vouch
