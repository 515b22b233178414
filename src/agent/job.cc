#include "agent/job.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <string>

#include <dirent.h>
#include <poll.h>
#include <unistd.h>

#include "base/read_file.h"

namespace vouch {
namespace {

std::string read_proc(const std::string& pid, const char* file) {
  return read_file("/proc/" + pid + "/" + file).value_or("");
}

// A zombie has no environment left, so it does not count.
bool belongs(const std::string& pid, const std::string& entry) {
  const std::string environment = read_proc(pid, "environ");
  for (std::size_t at = 0; at < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', at), environment.size());
    if (std::string_view(environment).substr(at, end - at) == entry) return true;
    at = end + 1;
  }
  return false;
}

void pause_ms(int ms) { ::poll(nullptr, 0, ms); }

}  // namespace

std::vector<int> job_processes(std::string_view socket) {
  std::vector<int> found;
  const std::string entry = std::string(kSocketVariable) + "=" + std::string(socket);
  DIR* proc = ::opendir("/proc");
  if (proc == nullptr) return found;
  while (const dirent* item = ::readdir(proc)) {
    if (std::isdigit(static_cast<unsigned char>(item->d_name[0])) == 0) continue;
    const int pid = std::atoi(item->d_name);
    if (pid != ::getpid() && belongs(item->d_name, entry)) found.push_back(pid);
  }
  ::closedir(proc);
  return found;
}

std::vector<int> job_ranks(std::string_view socket) {
  std::vector<int> ranks;
  for (const int pid : job_processes(socket)) {
    if (read_proc(std::to_string(pid), "maps").find("/libvouch_") != std::string::npos)
      ranks.push_back(pid);
  }
  return ranks;
}

void end_job(std::string_view socket, bool ranks_only, int grace_ms) {
  constexpr int kStep = 20;
  std::vector<int> told;
  const auto here = [&] { return ranks_only ? job_ranks(socket) : job_processes(socket); };
  for (int waited = 0; waited < grace_ms; waited += kStep) {
    const std::vector<int> alive = here();
    if (alive.empty()) return;
    for (const int pid : alive) {
      if (std::find(told.begin(), told.end(), pid) != told.end()) continue;
      ::kill(pid, SIGTERM);
      ::kill(pid, SIGCONT);
      told.push_back(pid);
    }
    pause_ms(kStep);
  }
  for (int tries = 0; tries < 50; ++tries) {
    const std::vector<int> alive = here();
    if (alive.empty()) return;
    for (const int pid : alive) ::kill(pid, SIGKILL);
    pause_ms(kStep);
  }
}

}  // namespace vouch
