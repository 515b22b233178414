#include "agent/thread_watch.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vouch {
namespace {

// A small file of /proc; nothing: it is gone, or we may not.
std::optional<std::string> read_small(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  char text[4096];
  const ssize_t size = ::read(fd, text, sizeof(text));
  ::close(fd);
  if (size <= 0) return std::nullopt;
  return std::string(text, static_cast<std::size_t>(size));
}

// What stands behind "Name:" in a status file.
std::string field(const std::string& status, const std::string& name) {
  const std::size_t at = status.find("\n" + name + ":");
  if (at == std::string::npos) return {};
  const std::size_t begin = status.find_first_not_of(" \t", at + name.size() + 2);
  return status.substr(begin, status.find('\n', begin) - begin);
}

// The number of a thread in the innermost namespace: there it calls itself so.
int own_number(const std::string& status) {
  const std::string numbers = field(status, "NSpid");
  const std::size_t last = numbers.find_last_of(" \t");
  return std::atoi(numbers.c_str() + (last == std::string::npos ? 0 : last));
}

std::vector<int> numbers_in(const std::string& folder) {
  std::vector<int> all;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return all;
  while (const dirent* entry = ::readdir(dir)) {
    if (const int n = std::atoi(entry->d_name); n > 0) all.push_back(n);
  }
  ::closedir(dir);
  return all;
}

bool contains(std::span<const int> list, int n) {
  return std::find(list.begin(), list.end(), n) != list.end();
}

}  // namespace

ThreadWatch::ThreadWatch(int pid, std::string root)
    : tasks_(std::move(root) + "/" + std::to_string(pid) + "/task") {
  const auto status = read_small(tasks_ + "/" + std::to_string(pid) + "/status");
  nested_ = status && field(*status, "NSpid").find_first_of(" \t") != std::string::npos;
}

// "202 0xaddress 0xoperation 0xvalue 0xtimeout ...": in a system call, with its arguments.
bool ThreadWatch::sleeps_for_good(const std::string& task) const {
  const auto text = read_small(task + "/syscall");
  if (!text) return false;
  const char* at = text->c_str();
  char* end = nullptr;
  std::uint64_t words[5];
  for (std::uint64_t& w : words) {
    w = std::strtoull(at, &end, 0);
    if (end == at) return false;  // "running"
    at = end;
  }
  const auto [number, address, operation, value, timeout] = std::to_array(words);
  if (number != SYS_futex || timeout != 0) return false;
  switch (operation & static_cast<std::uint64_t>(FUTEX_CMD_MASK)) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
      break;
    default:
      return false;
  }
  // A join waits for the word with the thread's number, which the system clears when it ends.
  return (operation & FUTEX_PRIVATE_FLAG) != 0 || contains(tids_, static_cast<int>(value));
}

bool ThreadWatch::others_sleep(std::span<const int> apart) {
  const std::vector<int> tasks = numbers_in(tasks_);
  std::vector<Sleeper> sleepers;
  bool awake = tasks.empty();
  tids_.clear();
  for (const int task : tasks) {
    const auto status =
        nested_ ? read_small(tasks_ + "/" + std::to_string(task) + "/status") : std::nullopt;
    tids_.push_back(status ? own_number(*status) : task);
  }
  for (const int tid : apart) {
    if (!contains(tids_, tid)) gone_.insert(tid);
  }
  for (std::size_t i = 0; i < tasks.size() && !awake; ++i) {
    if (contains(apart, tids_[i]) && !gone_.contains(tids_[i])) continue;
    const std::string task = tasks_ + "/" + std::to_string(tasks[i]);
    const auto status = read_small(task + "/status");
    if (!status) continue;  // ended meanwhile
    const std::string state = field(*status, "State");
    if (state.starts_with('Z') || state.starts_with('X')) continue;
    const std::uint64_t turns =
        std::strtoull(field(*status, "voluntary_ctxt_switches").c_str(), nullptr, 10) +
        std::strtoull(field(*status, "nonvoluntary_ctxt_switches").c_str(), nullptr, 10);
    awake = !state.starts_with('S') || !sleeps_for_good(task);
    sleepers.push_back({tids_[i], turns});
  }
  if (awake) {
    before_.clear();
    return false;
  }
  const bool same = sleepers == before_;
  before_ = std::move(sleepers);
  return before_.empty() || same;
}

}  // namespace vouch
