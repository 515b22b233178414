#include "record/agent_watch.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace vouch {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kBusyFactor = 6;  // budget of one step, by that of rest

std::uint64_t nanoseconds(clockid_t clock) {
  timespec t{};
  if (::clock_gettime(clock, &t) != 0) return 0;
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

// The processor time of a process; 0: it is not known.
std::uint64_t processor_time(int pid) {
  // As clock_getcpuclockid() makes it.
  return nanoseconds(static_cast<clockid_t>((~static_cast<unsigned>(pid) << 3) | 2));
}

// The state letter of /proc/PID/stat, behind the name, which ends with the last parenthesis.
char state_of(int pid) {
  char path[32] = "/proc/", text[128];
  char digits[12];
  int count = 0;
  for (int rest = pid; rest > 0; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
  int at = 6;
  while (count > 0) path[at++] = digits[--count];
  for (const char* end = "/stat"; *end != '\0'; ++end) path[at++] = *end;
  const long fd = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return '?';
  const long size = ::syscall(SYS_read, fd, text, sizeof(text));
  ::syscall(SYS_close, fd);
  for (long i = size - 3; i >= 0; --i) {
    if (text[i] == ')') return text[i + 2];
  }
  return '?';
}

}  // namespace

int patience_from_environment() {
  const char* text = std::getenv(kPatienceVariable);
  const long value = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
  return value > 0 && value < 1'000'000'000 ? static_cast<int>(value) : kPatienceMs;
}

AgentWatch::AgentWatch(int pid, int patience_ms, int slice_ms, Counts counts)
    : pid_(pid),
      counts_(counts),
      patience_ns_(static_cast<std::uint64_t>(patience_ms) * kMillisecond),
      slice_ns_(static_cast<std::uint64_t>(slice_ms) * kMillisecond),
      looked_ns_(nanoseconds(CLOCK_MONOTONIC)),
      time_ns_(pid > 0 ? processor_time(pid) : 0) {}

bool AgentWatch::gave_out(std::uint64_t progress) {
  const bool progressed = progress != progress_;
  progress_ = progress;
  return look(progressed, false);
}

bool AgentWatch::gave_out() { return look(false, true); }

bool AgentWatch::look(bool progressed, bool time_is_progress) {
  const std::uint64_t now = nanoseconds(CLOCK_MONOTONIC);
  std::uint64_t elapsed = now - looked_ns_;
  if (progressed) {
    idle_ns_ = busy_ns_ = 0;
    looked_ns_ = now;
    return false;
  }
  if (elapsed < slice_ns_ / 2) return false;  // a signal has ended a sleep
  // Whoever was stopped itself has not waited all that time.
  if (elapsed > 2 * slice_ns_) elapsed = 2 * slice_ns_;
  looked_ns_ = now;
  const std::uint64_t time = pid_ > 0 ? processor_time(pid_) : 0;
  const std::uint64_t ran = time > time_ns_ ? time - time_ns_ : 0;
  time_ns_ = time;
  const char state = pid_ > 0 ? state_of(pid_) : '?';
  if (state == 'T' || state == 't') {
    // One who would end it leaves it to a debugger.
    if (state == 'T' || counts_ == Counts::all_rest) idle_ns_ += elapsed;
  } else if (state == 'R') {
    busy_ns_ += ran;
  } else if (time_is_progress && ran > 0) {
    idle_ns_ = 0;
  } else if (state == 'S' && counts_ == Counts::all_rest) {
    idle_ns_ += elapsed;
  } else {
    // Asleep, waiting for a disk, or not to be seen at all.
    busy_ns_ += elapsed;
  }
  return idle_ns_ >= patience_ns_ || busy_ns_ >= kBusyFactor * patience_ns_;
}

}  // namespace vouch
