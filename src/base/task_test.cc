#include "base/task.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vouch {
namespace {

using namespace std::chrono_literals;

class Asker {
 public:
  Task<std::string> ask(std::string question) {
    heard.push_back(question);
    if (!co_await point.until([this] { return !answer.empty(); }, patience)) co_return "nothing";
    co_return std::exchange(answer, {});
  }
  Task<> ask_all(std::vector<std::string> questions) {
    for (const std::string& question : questions) {
      const std::string got = co_await ask(question);
      told += question + "=" + got + " ";
    }
    told += "over";
  }

  WaitPoint point;
  std::vector<std::string> heard;
  std::string answer, told;
  std::chrono::seconds patience{1000};
};

TEST(Task, what_need_not_wait_is_over_at_once) {
  Asker asker;
  asker.answer = "yes";
  EXPECT_EQ(asker.ask("a").run(), "yes");
  EXPECT_FALSE(asker.point.waits());
}

TEST(Task, goes_on_where_it_was_left) {
  Asker asker;
  Task<> task = asker.ask_all({"a", "b"});
  EXPECT_TRUE(asker.heard.empty());  // it has not begun
  task.start();
  EXPECT_EQ(asker.heard.size(), 1u);
  asker.point.poll();
  EXPECT_EQ(asker.told, "");
  asker.answer = "1";
  asker.point.poll();
  EXPECT_EQ(asker.told, "a=1 ");
  EXPECT_EQ(asker.heard.size(), 2u);
  EXPECT_TRUE(task.under_way());
  asker.answer = "2";
  asker.point.poll();
  EXPECT_EQ(asker.told, "a=1 b=2 over");
  EXPECT_FALSE(task.under_way());
}

TEST(Task, what_never_comes_is_not_waited_for) {
  Asker asker;
  Task<> task = asker.ask_all({"a", "b"});
  task.start();
  asker.point.poll(true);
  EXPECT_EQ(asker.told, "a=nothing b=nothing over");

  Asker impatient;
  impatient.patience = 0s;
  Task<std::string> one = impatient.ask("c");
  one.start();
  while (one.under_way()) impatient.point.poll();
  EXPECT_EQ(one.result(), "nothing");
}

TEST(Task, one_that_waits_can_be_given_up) {
  Asker asker;
  {
    Task<> task = asker.ask_all({"a"});
    task.start();
    EXPECT_TRUE(asker.point.waits());
  }
  EXPECT_EQ(asker.told, "");
}

// Each wait that is over at once must leave nothing on the stack.
TEST(Task, many_steps) {
  Asker asker;
  const auto count = [&]() -> Task<int> {
    int n = 0;
    for (; n < 100'000; ++n) {
      asker.answer = "x";
      co_await asker.ask("q");
    }
    co_return n;
  };
  EXPECT_EQ(count().run(), 100'000);
}

}  // namespace
}  // namespace vouch
