#include "run/agent_command.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/job.h"
#include "analysis/checks.h"
#include "base/shared_word.h"
#include "net/key.h"
#include "record/agent_watch.h"
#include "record/handshake.h"
#include "record/node_name.h"
#include "run/exit_status.h"

namespace vouch {
namespace {

// Its value, which is then gone from this process: /proc shows an environment to its owner's other
// programs, and this process is none of the job's.
std::string take(const char* name) {
  char* value = std::getenv(name);
  if (value == nullptr) return "";
  std::string text = value;
  ::explicit_bzero(value, text.size());
  ::unsetenv(name);
  return text;
}

// The rank's: files, pipes and sockets that others wait for.
void close_inherited() {
  DIR* open = ::opendir("/proc/self/fd");
  if (open == nullptr) return;
  const int own = ::dirfd(open);
  while (const dirent* item = ::readdir(open)) {
    const int fd = std::atoi(item->d_name);
    if (fd > 2 && fd != own) ::close(fd);
  }
  ::closedir(open);
}

// Nobody else ends an agent of another node that is stopped: it would be left behind.
int guarded_agent(AgentOptions options) {
  constexpr int kLook = 1000;
  const auto steps = shared_word();
  options.steps = steps.get();
  const int patience = patience_from_environment();
  const pid_t agent = ::fork();
  if (agent < 0 || steps == nullptr) return run_agent(options);
  if (agent == 0) ::_exit(run_agent(options));
  ::close(options.listening);
  ::close(options.ready);
  ::prctl(PR_SET_NAME, "vouch-guard");
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM}) std::signal(signal, SIG_IGN);
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, agent, 0));
  AgentWatch watch(agent, patience, kLook, AgentWatch::Counts::stopped);
  for (int status = 0; ::waitpid(agent, &status, WNOHANG) == 0;) {
    pollfd wait{pidfd, POLLIN, 0};
    ::poll(&wait, 1, kLook);
    if (watch.gave_out(steps->load(std::memory_order_relaxed))) ::kill(agent, SIGKILL);
  }
  return 0;
}

}  // namespace

int agent_command() {
  AgentOptions options;
  options.socket = take(kSocketVariable);
  options.join = take(net::kInvitationVariable);
  if (const auto checks = Checks::parse(take(kChecksVariable)); checks.ok())
    options.checks = checks.value();
  if (options.socket.empty() || options.join.empty()) {
    fmt::print(stderr, "vouch: vouch agent is started by the ranks of a job\n");
    return kExitUsage;
  }
  close_inherited();
  char name[kNodeNameSize];
  node_name(options.join, name);
  options.listening = listen_for_ranks(name);
  if (options.listening < 0) return 0;  // this node has an agent
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) != 0) return kExitInternal;
  const pid_t child = ::fork();
  if (child < 0) return kExitInternal;
  if (child != 0) {
    ::close(ready[1]);
    await_agent(ready[0]);
    return 0;
  }
  ::close(ready[0]);
  options.ready = ready[1];
  // Three descriptors for each other agent.
  rlimit files;
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  ::_exit(guarded_agent(options));
}

}  // namespace vouch
