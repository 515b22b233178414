// A rank that runs far ahead of its partners [D10].

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/deadlock/deadlock.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

constexpr int kFar = 1 << 16;

// Lets a rank go on as soon as it is held back.
class LetGo : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void on_leave_acts(Process& process, Call& call, const Event& leave,
                     std::span<const Act> acts) override {
    DeadlockSearch::on_leave_acts(process, call, leave, acts);
    if (!ahead(process)) return;
    before_let_go();
    let_go(process).run();
    EXPECT_FALSE(ahead(process));
  }

 protected:
  virtual void before_let_go() {}
};

// As the guest of a root that has rank 1, takes a snapshot in that moment and is heard no more.
class Frozen : public LetGo, private wait::Network, private RemoteRanks {
 public:
  Frozen(World& world, Sink& sink) : LetGo(world, sink) {
    const wait::Layout layout{2, 16, std::make_shared<std::vector<int>>(std::vector<int>{1, 0})};
    spread(1, layout, *this, *this);
  }

 private:
  void before_let_go() override {
    node().receive(0, {.type = wait::Message::Type::request_state});
    node().work();
  }
  void send(int, wait::Message) override {}
  void tolerate(wait::Label) override {}
  void gather_waves(const std::vector<int>&) override {}
  bool waves_gathered() override { return false; }
  void ask(const wait::RankSet&) override {}
  bool answered() override { return false; }
  std::vector<RankStatus> take_answers() override { return {}; }
  std::chrono::nanoseconds quiet_for() override { return {}; }
  void blame(int, Site, const std::string&) override {}
};

// Rank 1 is late for the first of them.
std::string barriers(int number) {
  std::string text = "0 world size=2\n";
  for (int i = 0; i < number; ++i) text += "0 Barrier @a.c:1\n";
  return text;
}

TEST(Ahead, what_has_returned_counts_as_not_having_waited) {
  EXPECT_EQ(run<LetGo>(barriers(kFar)), "");
  EXPECT_EQ(run<LetGo>(barriers(kFar + 100)), "not-checked waiting\n");
}

// What nobody has received is no reason to hold its sender back, nor is anything given up.
TEST(Ahead, messages_are_only_kept) {
  std::string text = "0 world size=2\n";
  for (int i = 0; i < kFar + 100; ++i) text += "0 Bsend dest=1 @a.c:1\n";
  EXPECT_EQ(run<LetGo>(text), "");
}

TEST(Ahead, while_the_root_takes_a_snapshot) {
  EXPECT_EQ(run<Frozen>(barriers(kFar + 100)), "not-checked waiting\n");
}

}  // namespace
}  // namespace vouch
