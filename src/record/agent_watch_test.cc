#include "record/agent_watch.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/shared_word.h"

namespace vouch {
namespace {

using Counts = AgentWatch::Counts;
constexpr int kSlice = 20, kPatience = 300;

void pause_ms(int ms) {
  const timespec time{ms / 1000, (ms % 1000) * 1'000'000L};
  ::nanosleep(&time, nullptr);
}

// A process that stands for the agent.
class Watched {
 public:
  explicit Watched(const std::function<void()>& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    body();
    ::_exit(0);
  }
  ~Watched() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void stop() const {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
  }
  int pid() const { return pid_; }

 private:
  pid_t pid_;
};

void sleep_forever() {
  while (true) ::pause();
}

// Looks at it so many times; true: it gave out.
bool gives_out(AgentWatch& watch, int looks, const std::atomic<std::uint32_t>* steps = nullptr) {
  for (int i = 0; i < looks; ++i) {
    pause_ms(kSlice);
    if (watch.gave_out(steps != nullptr ? steps->load() : 1)) return true;
  }
  return false;
}

TEST(AgentWatch, a_stopped_one_gives_out) {
  for (const Counts counts : {Counts::all_rest, Counts::stopped}) {
    const Watched agent(sleep_forever);
    agent.stop();
    AgentWatch watch(agent.pid(), kPatience, kSlice, counts);
    EXPECT_FALSE(gives_out(watch, kPatience / kSlice / 4));
    EXPECT_TRUE(gives_out(watch, kPatience / kSlice * 2));
  }
}

TEST(AgentWatch, sleep_without_a_step_is_rest_for_those_who_wait) {
  const Watched agent(sleep_forever);
  AgentWatch waits(agent.pid(), kPatience, kSlice),
      would_end(agent.pid(), kPatience, kSlice, Counts::stopped);
  EXPECT_TRUE(gives_out(waits, kPatience / kSlice * 2));
  EXPECT_FALSE(gives_out(would_end, kPatience / kSlice * 2));
}

TEST(AgentWatch, a_slow_one_that_steps_does_not) {
  const auto steps = shared_word();
  const Watched agent([&] {
    while (true) {
      pause_ms(kPatience / 3);
      steps->fetch_add(1);
    }
  });
  AgentWatch watch(agent.pid(), kPatience, kSlice);
  EXPECT_FALSE(gives_out(watch, kPatience / kSlice * 4, steps.get()));
}

TEST(AgentWatch, a_long_step_is_no_rest_but_has_an_end) {
  const Watched agent([] {
    while (true) {
    }
  });
  AgentWatch watch(agent.pid(), kPatience, kSlice);
  EXPECT_FALSE(gives_out(watch, kPatience / kSlice * 2));
  bool out = false;
  for (int i = 0; i < 100 && !out; ++i) out = gives_out(watch, kPatience / kSlice);
  EXPECT_TRUE(out);
}

// Two processes share one processor, and one of them yields to everybody.
TEST(AgentWatch, one_that_gets_no_processor_does_not) {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<unsigned>(::sched_getcpu()), &here);
  const auto spin = [&](int policy) {
    ::sched_setaffinity(0, sizeof(here), &here);
    const sched_param none{};
    ::sched_setscheduler(0, policy, &none);
    while (true) {
    }
  };
  const Watched hog([&] { spin(SCHED_OTHER); }), other([&] { spin(SCHED_OTHER); });
  const Watched agent([&] { spin(SCHED_IDLE); });
  pause_ms(50);
  AgentWatch watch(agent.pid(), kPatience, kSlice);
  EXPECT_FALSE(gives_out(watch, kPatience / kSlice * 4));
}

TEST(AgentWatch, before_its_steps_are_seen_its_processor_time_is_progress) {
  const Watched agent([] {
    while (true) pause_ms(5);
  });
  AgentWatch joins(agent.pid(), kPatience, kSlice), stopped(agent.pid(), kPatience, kSlice);
  for (int i = 0; i < kPatience / kSlice * 3; ++i) {
    pause_ms(kSlice);
    EXPECT_FALSE(joins.gave_out());
  }
  agent.stop();
  bool out = false;
  for (int i = 0; i < kPatience / kSlice * 3 && !out; ++i) {
    pause_ms(kSlice);
    out = stopped.gave_out();
  }
  EXPECT_TRUE(out);
}

// A timer of the program that fires all the time makes no time pass.
TEST(AgentWatch, looks_in_quick_succession_do_not_add_up) {
  const Watched agent(sleep_forever);
  agent.stop();
  AgentWatch watch(agent.pid(), 10 * kPatience, kSlice);
  for (int i = 0; i < 100'000; ++i) ASSERT_FALSE(watch.gave_out(1));
}

// The one who looks was stopped itself meanwhile.
TEST(AgentWatch, a_long_pause_between_looks_counts_little) {
  const Watched agent(sleep_forever);
  agent.stop();
  AgentWatch watch(agent.pid(), kPatience, kSlice);
  watch.gave_out(1);
  pause_ms(2 * kPatience);
  EXPECT_FALSE(watch.gave_out(1));
}

}  // namespace
}  // namespace vouch
