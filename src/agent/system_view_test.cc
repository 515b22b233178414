#include "agent/system_view.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vouch {
namespace {

TEST(SystemView, a_process_lives_until_it_is_killed) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  EXPECT_EQ(SystemView::lives(child), true);
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_EQ(SystemView::lives(child), false);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(SystemView::lives(child), false);
}

// It has closed its files and waits for a processor to end.
TEST(SystemView, a_process_on_its_way_out_does_not_live) {
  char root[] = "/tmp/vouch-system-view-XXXXXX";
  ASSERT_NE(::mkdtemp(root), nullptr);
  EXPECT_EQ(SystemView::lives(7, root), std::nullopt);
  const auto says = [&](const char* name, const char* text) {
    std::filesystem::create_directories(std::string(root) + "/" + name);
    std::ofstream(std::string(root) + "/" + name + "/stat") << text;
  };
  says("self", "1 (vouch-agent) R 1 1 1 0 -1 4194304 0 0");
  EXPECT_EQ(SystemView::lives(7, root), false);
  says("7", "7 (a) R 4 (b) R 1 7 7 0 -1 4194304 0 0");
  EXPECT_EQ(SystemView::lives(7, root), true);
  says("7", "7 (a) R 4 (b) R 1 7 7 0 -1 4194308 0 0");
  EXPECT_EQ(SystemView::lives(7, root), false);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace vouch
