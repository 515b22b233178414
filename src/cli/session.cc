#include "cli/session.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/replay.h"

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

}  // namespace

Session Session::open(const RunOptions& options) {
  Session session;
  session.options_ = options;
  session.options_.quick = true;
  session.options_.trace.clear();
  session.options_.schedule.reset();
  session.prepared_ = prepare(session.options_);
  return session;
}

Shown Session::run(const policy::Schedule& schedule, int events, bool output) const {
  const auto begun = std::chrono::steady_clock::now();
  Prepared mine = prepared_;
  mine.job.schedule = std::make_shared<policy::Schedule>(schedule);
  mine.job.trace = events;
  mine.job.trace_path = "memory";
  if (output) mine.job.output = ::memfd_create("vouch-output", MFD_CLOEXEC);
  const Ran ran = run_prepared(mine, options_);
  Shown shown;
  if (output && mine.job.output >= 0) {
    shown.output = contents(mine.job.output);
    ::close(mine.job.output);
  }
  if (ran.refused != 0) shown.failed = "it could not be started";
  shown.status = ran.status;
  shown.summary = ran.summary;
  if (const NotChecked* gap = left_schedule(shown.summary); gap != nullptr)
    shown.left = gap->where.empty() ? gap->reason : gap->reason + " at " + gap->where;
  shown.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  return shown;
}

}  // namespace vouch
