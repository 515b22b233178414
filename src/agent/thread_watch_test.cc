#include "agent/thread_watch.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace vouch {
namespace {

// A process of its own that does this until it is killed. Its first thread is set apart: it would
// be inside MPI.
class Child {
 public:
  explicit Child(const std::function<void()>& run) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    if ((pid_ = ::fork()) == 0) {
      run();
      EXPECT_EQ(::write(ready[1], "x", 1), 1);
      for (;;) ::pause();
    }
    char c;
    EXPECT_EQ(::read(ready[0], &c, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  // Whether it is so at some look within a few seconds, which a busy machine may need.
  bool sleeps(int looks = 200) const {
    ThreadWatch watch(pid_);
    for (int i = 0; i < looks; ++i) {
      const int apart[] = {pid_};
      if (watch.others_sleep(apart)) return true;
      ::usleep(10000);
    }
    return false;
  }
  int pid() const { return pid_; }

 private:
  int pid_ = -1;
};

std::mutex mutex;
std::condition_variable condition;

void detached(std::function<void()> run) { std::thread(std::move(run)).detach(); }

TEST(ThreadWatch, nobody_else) {
  const Child child([] {});
  ThreadWatch watch(child.pid());
  const int apart[] = {child.pid()};
  EXPECT_TRUE(watch.others_sleep(apart));
  EXPECT_FALSE(watch.others_sleep({}));  // it waits for a signal
}

TEST(ThreadWatch, locks_conditions_and_joins_are_for_good) {
  const Child child([] {
    mutex.lock();
    detached([] { mutex.lock(); });
    detached([] {
      std::mutex own;
      std::unique_lock lock(own);
      condition.wait(lock);
    });
    static std::thread waits([] { mutex.lock(); });
    detached([] { waits.join(); });
  });
  EXPECT_TRUE(child.sleeps());
}

TEST(ThreadWatch, not_at_the_first_look) {
  const Child child([] {
    mutex.lock();
    detached([] { mutex.lock(); });
  });
  ASSERT_TRUE(child.sleeps());
  ThreadWatch watch(child.pid());
  const int apart[] = {child.pid()};
  EXPECT_FALSE(watch.others_sleep(apart));
  EXPECT_TRUE(watch.others_sleep(apart));
}

TEST(ThreadWatch, a_sleep_or_a_wait_with_a_limit_ends_by_itself) {
  EXPECT_FALSE(Child([] { detached([] { ::sleep(1000); }); }).sleeps(20));
  EXPECT_FALSE(Child([] {
                 detached([] {
                   std::mutex own;
                   std::unique_lock lock(own);
                   condition.wait_for(lock, std::chrono::seconds(1000));
                 });
               }).sleeps(20));
}

TEST(ThreadWatch, who_computes_is_awake) {
  EXPECT_FALSE(Child([] {
                 detached([] {
                   for (std::atomic<int> i = 0;; ++i) continue;
                 });
               }).sleeps(20));
}

TEST(ThreadWatch, one_that_only_naps_is_awake) {
  EXPECT_FALSE(Child([] {
                 detached([] {
                   for (;;) ::usleep(2000);
                 });
                 mutex.lock();
                 detached([] { mutex.lock(); });
               }).sleeps(20));
}

}  // namespace
}  // namespace vouch
