// Agents that are processes, and nodes that are network namespaces.

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/mesh_test.h"

namespace vouch::net {
namespace {

using namespace testing;

// One word from one process to another; empty if it does not come.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  void put(std::string text) {
    text += '\n';
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string get() {
    std::string text;
    pollfd readable{ends_[0], POLLIN, 0};
    for (char c; ::poll(&readable, 1, 30000) == 1 && ::read(ends_[0], &c, 1) == 1 && c != '\n';)
      text += c;
    return text;
  }

 private:
  int ends_[2];
};

class Child {
 public:
  // Must come before this process has a mesh: its sockets would live on in the child.
  explicit Child(const std::function<int()>& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::alarm(60);
    ::_exit(body());
  }
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  int pid() const { return pid_; }
  void signal(int number) { ::kill(pid_, number); }
  int status() {
    int status = -1;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
  }

 private:
  int pid_;
};

constexpr int kCount = 300;

// Joins, sends numbers to the root once it is open, and stays until the end.
int count_for_root(const std::string& invitation, const Tuning& tuning) {
  const auto parsed = Invitation::parse(invitation);
  if (!parsed) return 2;
  Member member(Mesh::join(parsed.value(), tuning));
  if (!run({&member}, [&] { return member.opened; })) return 3;
  for (int i = 0; i < kCount; ++i) member.send(0, Lane::regular, std::to_string(i));
  if (!run(
          {&member}, [&] { return member.closed(); }, 60s))
    return 4;
  return member.lost.empty() && member.ended ? 0 : 5;
}

bool counted(const Member& root) {
  if (root.messages.size() != kCount) return false;
  for (int i = 0; i < kCount; ++i) {
    if (root.messages[static_cast<std::size_t>(i)].text != std::to_string(i)) return false;
  }
  return true;
}

bool open_with_one(Member& root) {
  if (!run({&root}, [&] { return root.joined == 1; })) return false;
  root.mesh->open("");
  return run({&root}, [&] { return root.messages.size() == kCount; }) && counted(root);
}

TEST(Processes, join_count_and_leave) {
  Pipe pipe;
  Child child([&] { return count_for_root(pipe.get(), on_loopback()); });
  Member root(Mesh::found(on_loopback()));
  pipe.put(root.mesh->invitation().text());
  ASSERT_TRUE(open_with_one(root));
  root.mesh->end();
  EXPECT_TRUE(run({&root}, [&] { return root.closed(); }));
  EXPECT_EQ(child.status(), 0);
  EXPECT_TRUE(root.lost.empty());
}

TEST(Processes, one_that_is_killed_is_missed_at_once) {
  Pipe pipe;
  Child child([&] { return count_for_root(pipe.get(), on_loopback()); });
  Member root(Mesh::found(on_loopback()));
  pipe.put(root.mesh->invitation().text());
  ASSERT_TRUE(open_with_one(root));
  child.signal(SIGKILL);
  // Long before the heartbeats would tell.
  EXPECT_TRUE(run(
      {&root}, [&] { return root.lost.size() == 1; }, 3s));
  root.mesh->end();
  EXPECT_TRUE(run({&root}, [&] { return root.closed(); }));
}

TEST(Processes, one_that_says_nothing_any_more_is_lost) {
  Tuning tuning = on_loopback();
  tuning.patience.silence = 2000ms;
  Pipe pipe;
  Child child([&] { return count_for_root(pipe.get(), tuning); });
  Member root(Mesh::found(tuning));
  pipe.put(root.mesh->invitation().text());
  ASSERT_TRUE(open_with_one(root));
  child.signal(SIGSTOP);
  EXPECT_TRUE(run({&root}, [&] { return root.lost.size() == 1; }));
}

// Namespaces ------------------------------------------------

bool sh(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Two nodes with a cable between them; in the middle of the run it is pulled.
TEST(Namespaces, two_nodes_and_a_cable) {
  Tuning tuning = on_loopback();
  tuning.patience.silence = 2000ms;
  Pipe wired_root, wired_agent, made_root, made_agent, invitation, said;
  const auto node = [](Pipe& made, Pipe& wired) {
    made.put(::unshare(CLONE_NEWNET) == 0 ? "made" : "refused");
    return wired.get() == "wired";
  };
  Child agent([&] {
    if (!node(made_agent, wired_agent)) return 1;
    Tuning mine = tuning;
    mine.interface = "10.77.9.0/24";
    const auto parsed = Invitation::parse(invitation.get());
    if (!parsed) return 2;
    Member member(Mesh::join(parsed.value(), mine));
    if (!run({&member}, [&] { return member.opened; })) return 3;
    for (int i = 0; i < kCount; ++i) member.send(0, Lane::regular, std::to_string(i));
    if (!run(
            {&member}, [&] { return !member.lost.empty(); }, 30s))
      return 4;
    return member.lost[0].first == 0 ? 0 : 5;
  });
  Child root([&] {
    if (!node(made_root, wired_root)) return 1;
    Tuning mine = tuning;
    mine.interface = "ve0";
    Member member(Mesh::found(mine));
    invitation.put(member.mesh->invitation().text());
    if (!open_with_one(member)) return 3;
    said.put("counted");
    if (!run(
            {&member}, [&] { return !member.lost.empty(); }, 30s))
      return 4;
    return member.lost[0].first == 1 ? 0 : 5;
  });
  const bool made = made_root.get() == "made" && made_agent.get() == "made";
  if (!made) GTEST_SKIP() << "this user may not make network namespaces";
  const auto in = [](const Child& c) { return fmt::format("nsenter -t {} -n ip ", c.pid()); };
  const bool wired =
      sh(fmt::format("ip link add ve0 netns {} type veth peer name ve0 netns {}", root.pid(),
                     agent.pid())) &&
      sh(in(root) + "addr add 10.77.9.1/24 dev ve0") && sh(in(root) + "link set ve0 up") &&
      sh(in(agent) + "addr add 10.77.9.2/24 dev ve0") && sh(in(agent) + "link set ve0 up");
  if (!wired) GTEST_SKIP() << "ip (iproute2) or virtual cables are missing here";
  wired_root.put("wired");
  wired_agent.put("wired");
  ASSERT_EQ(said.get(), "counted");
  ASSERT_TRUE(sh(in(root) + "link set ve0 down"));
  EXPECT_EQ(root.status(), 0);
  EXPECT_EQ(agent.status(), 0);
}

}  // namespace
}  // namespace vouch::net
