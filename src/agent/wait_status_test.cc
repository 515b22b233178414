#include "agent/wait_status.h"

#include <csignal>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vouch {
namespace {

// A child that ends as `end` says; its pidfd is readable when this returns.
struct Child {
  explicit Child(void (*end)()) {
    pid = ::fork();
    if (pid == 0) {
      end();
      ::_exit(99);
    }
    pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    pollfd wait{pidfd, POLLIN, 0};
    ::poll(&wait, 1, 10'000);
  }
  ~Child() {
    if (!reaped) reap();
    ::close(pidfd);
  }
  int reap() {
    int status = 0;
    ::waitpid(pid, &status, 0);
    reaped = true;
    return status;
  }
  pid_t pid = -1;
  int pidfd = -1;
  bool reaped = false;
};

TEST(WaitStatus, of_a_process_nobody_has_waited_for) {
  Child exits([] { ::_exit(7); });
  const auto status = wait_status(exits.pidfd, exits.pid);
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 7);
  Child killed([] { ::raise(SIGTERM); });
  const auto signal = wait_status(killed.pidfd, killed.pid);
  ASSERT_TRUE(signal);
  EXPECT_TRUE(WIFSIGNALED(*signal));
  EXPECT_EQ(WTERMSIG(*signal), SIGTERM);
}

TEST(WaitStatus, of_a_process_that_was_waited_for_is_right_or_unknown) {
  Child child([] { ::raise(SIGKILL); });
  const int told = child.reap();
  const auto status = wait_status(child.pidfd, child.pid);
  EXPECT_EQ(status.value_or(told), told);
}

TEST(WaitStatus, of_a_living_process_is_unknown) {
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  EXPECT_FALSE(wait_status(self, ::getpid()));
  EXPECT_FALSE(wait_status(-1, ::getpid()));
  ::close(self);
}

}  // namespace
}  // namespace vouch
