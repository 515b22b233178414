#include "launch/direct.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/pmi.h"

namespace vouch::launch {
namespace {

constexpr int kGraceMs = 2000;  // between TERM and KILL

struct Rank {
  pid_t pid = -1;
  int fd = -1;
  bool alive = false;
  std::string pending;  // a line that has not come to its end
};

class Manager {
 public:
  Manager(int ranks, const std::vector<std::string>& command)
      : server_(ranks), ranks_(static_cast<std::size_t>(ranks)), command_(command) {}
  int run();

 private:
  bool start(std::size_t rank);
  [[noreturn]] void become_rank(std::size_t rank, int fd);
  void serve(std::size_t rank);
  void reap(bool wait);
  void end_all(int signal);
  bool anybody() const;

  PmiServer server_;
  std::vector<Rank> ranks_;
  const std::vector<std::string>& command_;
  int status_ = 0;
  bool ending_ = false;
};

void Manager::become_rank(std::size_t rank, int fd) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int own = ::dup(fd);  // without close-on-exec
  ::setenv("PMI_FD", std::to_string(own).c_str(), 1);
  ::setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("PMI_SIZE", std::to_string(ranks_.size()).c_str(), 1);
  ::setenv("MPI_LOCALNRANKS", std::to_string(ranks_.size()).c_str(), 1);
  ::setenv("MPI_LOCALRANKID", std::to_string(rank).c_str(), 1);
  if (rank > 0) {  // the terminal's input is rank 0's, as with other launchers
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, 0);
  }
  std::vector<char*> argv;
  for (const std::string& word : command_) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  fmt::print(stderr, "vouch: cannot start {}: {}\n", command_[0], std::strerror(errno));
  ::_exit(127);
}

bool Manager::start(std::size_t rank) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const pid_t pid = ::fork();
  if (pid == 0) become_rank(rank, ends[1]);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return false;
  }
  ranks_[rank] = {pid, ends[0], true, {}};
  return true;
}

void Manager::serve(std::size_t rank) {
  Rank& r = ranks_[rank];
  char buffer[8192];
  const ssize_t got = ::recv(r.fd, buffer, sizeof(buffer), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    ::close(r.fd);
    r.fd = -1;
    return;
  }
  r.pending.append(buffer, static_cast<std::size_t>(got));
  for (std::size_t end; (end = r.pending.find('\n')) != std::string::npos;) {
    const std::string line = r.pending.substr(0, end);
    r.pending.erase(0, end + 1);
    for (const auto& [to, text] : server_.take(static_cast<int>(rank), line)) {
      const int fd = ranks_[static_cast<std::size_t>(to)].fd;
      if (fd >= 0) [[maybe_unused]]
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    }
  }
  if (server_.aborted() && !ending_) {
    status_ = server_.abort_code() & 0xff;
    end_all(SIGTERM);
  }
}

void Manager::end_all(int signal) {
  ending_ = true;
  for (const Rank& r : ranks_) {
    if (r.alive) ::kill(r.pid, signal);
  }
}

void Manager::reap(bool wait) {
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, wait ? 0 : WNOHANG)) > 0; wait = false) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      Rank& r = ranks_[i];
      if (r.pid != pid || !r.alive) continue;
      r.alive = false;
      while (r.fd >= 0 && !r.pending.empty()) serve(i);
      const bool failed = WIFSIGNALED(status) || !server_.in_order(static_cast<int>(i));
      const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      if (!ending_ && code > status_) status_ = code;
      if (failed && !ending_) {
        if (status_ == 0) status_ = 1;
        end_all(SIGTERM);
      }
    }
  }
}

bool Manager::anybody() const {
  for (const Rank& r : ranks_) {
    if (r.alive) return true;
  }
  return false;
}

int Manager::run() {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (start(i)) continue;
    end_all(SIGKILL);
    return 1;
  }
  int waited = 0;
  while (anybody()) {
    std::vector<pollfd> waits;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_[i].fd < 0) continue;
      waits.push_back({ranks_[i].fd, POLLIN, 0});
      whose.push_back(i);
    }
    if (waits.empty()) {
      reap(true);  // only their ends are left
      continue;
    }
    constexpr int kStep = 100;
    if (::poll(waits.data(), waits.size(), kStep) == 0 && ending_) {
      waited += kStep;
      if (waited >= kGraceMs) end_all(SIGKILL);
    }
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents != 0) serve(whose[i]);
    }
    reap(false);
  }
  return status_;
}

}  // namespace

int run_ranks(int ranks, const std::vector<std::string>& command) {
  return Manager(ranks, command).run();
}

std::vector<std::pair<std::string, std::string>> quick_start_environment() {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const char* name, std::string value) {
    if (std::getenv(name) == nullptr) all.emplace_back(name, std::move(value));
  };
  cpu_set_t set;
  const int cores = ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  if (std::getenv("HWLOC_XMLFILE") == nullptr)
    add("HWLOC_SYNTHETIC", fmt::format("core:{} pu:1", cores));
  add("UCX_TLS", "posix,self");
  return all;
}

}  // namespace vouch::launch
