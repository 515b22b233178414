// For tests of what must not need much memory, whatever its input claims.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vouch::testing {

// Bytes of data that this process has, and may have at most before memory is refused.
inline std::size_t data_bytes() {
  std::size_t kilobytes = 0;
  if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof(line), status) != nullptr) {
      if (std::strncmp(line, "VmData:", 7) == 0) kilobytes = std::strtoul(line + 7, nullptr, 10);
    }
    std::fclose(status);
  }
  return kilobytes << 10;
}

// Whether `work` comes to its end in a process that gets so much memory more than this one has and
// `seconds` of processor time. A sanitizer's own memory cannot be told apart: there only the time
// counts.
template <typename Work>
bool fits_into(std::size_t megabytes, unsigned seconds, Work&& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit data{data_bytes() + (megabytes << 20), RLIM_INFINITY};
    ::setrlimit(RLIMIT_DATA, &data);
#endif
    const rlimit time{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &time);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace vouch::testing
