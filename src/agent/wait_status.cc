#include "agent/wait_status.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/read_file.h"

namespace vouch {
namespace {

// struct pidfd_info of <linux/pidfd.h> in its first version, which every later kernel takes; the
// header is younger than those of many systems.
struct PidInfo {
  std::uint64_t mask = 0, cgroup = 0;
  std::uint32_t ids[11] = {};
  std::int32_t exit_code = 0;
};
static_assert(sizeof(PidInfo) == 64);
constexpr std::uint64_t kInfoExit = 1 << 3;

std::optional<int> from_pidfd(int pidfd) {
  PidInfo info;
  info.mask = kInfoExit;
  if (::ioctl(pidfd, _IOWR(0xff, 11, PidInfo), &info) != 0 || (info.mask & kInfoExit) == 0)
    return std::nullopt;
  return info.exit_code;
}

// The last field of /proc/PID/stat, while the process waits to be waited for.
std::optional<int> from_proc(int pid) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t name_end = text.rfind(") Z ");
  const std::size_t last = text.find_last_of(' ');
  if (name_end == std::string::npos || last <= name_end) return std::nullopt;
  return std::atoi(text.c_str() + last + 1);
}

}  // namespace

std::optional<int> wait_status(int pidfd, int pid) {
  if (pidfd < 0) return std::nullopt;
  if (const auto status = from_pidfd(pidfd)) return status;
  const auto status = from_proc(pid);
  // Still there to be signalled: the number has not been given to another process meanwhile.
  if (status && ::syscall(SYS_pidfd_send_signal, pidfd, 0, nullptr, 0) == 0) return status;
  return from_pidfd(pidfd);
}

}  // namespace vouch
