#include "shim/core/starter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "record/agent_watch.h"
#include "record/handshake.h"
#include "record/node_name.h"
#include "shim/core/runtime.h"

extern char** environ;

namespace vouch::shim {
namespace {

constexpr int kPatienceMs = 5000;

// Beside the folder of this library, in a build tree or installed.
bool find_vouch(char (&path)[PATH_MAX]) {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&connect_or_start), &self) == 0) return false;
  const char* slash = std::strrchr(self.dli_fname, '/');
  if (slash == nullptr) return false;
  const int folder = static_cast<int>(slash - self.dli_fname);
  for (const char* from : {"/../bin/vouch", "/../../bin/vouch", "/../../../bin/vouch", "/vouch"}) {
    const int length = std::snprintf(path, sizeof(path), "%.*s%s", folder, self.dli_fname, from);
    if (length < static_cast<int>(sizeof(path)) && ::access(path, X_OK) == 0) return true;
  }
  return false;
}

// Until it ends; one that is stopped is ended.
void wait_for(pid_t pid, int patience_ms) {
  constexpr int kSliceMs = 100;
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  AgentWatch watch(pid, patience_ms, kSliceMs);
  int status = 0;
  for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
    // Without a descriptor of it, or once it has ended, this does not wait.
    pollfd end{pidfd, POLLIN, 0};
    if (pidfd >= 0 && ::poll(&end, 1, kSliceMs) <= 0 && watch.gave_out()) ::kill(pid, SIGKILL);
    ended = ::waitpid(pid, &status, pidfd >= 0 ? WNOHANG : 0);
  }
  if (pidfd >= 0) ::close(pidfd);
}

// `vouch agent` listens, forks and ends, so it is waited for. The program's own handling of its
// children must not notice.
bool spawn_agent(const char* path, int patience_ms) {
  std::size_t count = 0;
  while (environ[count] != nullptr) ++count;
  auto** variables = static_cast<char**>(pages((count + 1) * sizeof(char*)));
  if (variables == nullptr) return false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::strncmp(environ[i], "LD_PRELOAD=", 11) != 0) variables[kept++] = environ[i];
  }
  sigset_t child, before, pending;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &child, &before);
  ::sigpending(&pending);

  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
  ::posix_spawn_file_actions_init(&files);
  for (int fd = 0; fd < 3; ++fd)
    ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  char name[] = "vouch", word[] = "agent";
  char* const words[] = {name, word, nullptr};
  pid_t pid = -1;
  const bool started = ::posix_spawn(&pid, path, &files, &how, words, variables) == 0;
  if (started) wait_for(pid, patience_ms);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);

  const timespec at_once{0, 0};
  if (started && ::sigismember(&pending, SIGCHLD) == 0)
    while (::sigtimedwait(&child, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

int connect_again(const char* socket, int patience_ms) {
  const int fd = connect_to_agent(socket, patience_ms);
  const char* invitation = std::getenv("VOUCH_JOIN");
  if (fd >= 0 || invitation == nullptr || *invitation == '\0') return fd;
  char name[kNodeNameSize];
  node_name(invitation, name);
  return connect_to_agent(name, patience_ms);
}

int connect_or_start(const char* socket, int patience_ms) {
  int fd = connect_again(socket, patience_ms);
  const char* invitation = std::getenv("VOUCH_JOIN");
  if (fd >= 0 || invitation == nullptr || *invitation == '\0') return fd;
  char name[kNodeNameSize], path[PATH_MAX];
  node_name(invitation, name);
  if (!find_vouch(path) || !spawn_agent(path, patience_ms)) return fd;
  // Another rank's agent may be the one that listens, a moment later.
  int pause_ms = 1;
  for (int waited = 0; waited < kPatienceMs; waited += pause_ms) {
    if ((fd = connect_to_agent(name, patience_ms)) >= 0) return fd;
    pause_ms = pause_ms < 50 ? pause_ms * 2 : 50;
    const timespec pause{0, pause_ms * 1000000L};
    ::nanosleep(&pause, nullptr);
  }
  return -1;
}

}  // namespace vouch::shim
