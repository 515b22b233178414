// Whole explorations of simulated programs: limits, several at once, findings, going on.

#include "explore/campaign.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <set>

#include "explore/journal.h"
#include "explore/testing/examples.h"
#include "explore/testing/sim.h"
#include "report/cannot_happen.h"

namespace vouch::explore {
namespace {

class SimRunner : public Runner {
 public:
  explicit SimRunner(const Simulated& program, std::size_t stop_after = ~std::size_t{0})
      : program_(program), stop_after_(stop_after) {}
  void start(const Job& job) override { jobs_.push_back(job); }
  std::optional<Ran> wait() override {
    if (runs >= stop_after_) return std::nullopt;
    // The latest first: runs do not end in the order of their start.
    Ran ran;
    ran.job = jobs_.back();
    jobs_.pop_back();
    SimOptions options;
    options.forced = ran.job.forced;
    options.seed = ++runs;
    const SimRun run = simulate(program_, options);
    ran.seen = run.seen;
    ran.status = run.failed ? 1 : 0;
    ran.schedule = "S" + std::to_string(runs);
    outcomes.insert(outcome_of(run));
    if (run.deadlock || run.failed) {
      Finding f;
      f.rule = run.deadlock ? "deadlock/wait-cycle" : "crash/assert";
      ran.summary.findings.push_back(f);
    }
    return ran;
  }
  std::size_t runs = 0;
  std::set<SimOutcome> outcomes;

 private:
  const Simulated& program_;
  const std::size_t stop_after_;
  std::deque<Job> jobs_;
};

// [E36, E44, E50]
TEST(Campaign, findings_come_once_with_their_schedule) {
  const Simulated program = crooked_barrier();
  Search search(Protocol::vector, {});
  SimRunner runner(program);
  Campaign campaign(search, runner, {});
  campaign.again([](const std::string& s) { return "vouch replay " + s; });
  campaign.run();
  const Summary all = campaign.summary();
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].rule, "crash/assert");
  EXPECT_TRUE(all.findings[0].again.starts_with("vouch replay S"));
  EXPECT_EQ(all.exploration.schedules, 2u);
  EXPECT_TRUE(all.exploration.exhausted);
  EXPECT_TRUE(all.not_checked.empty());
  ASSERT_EQ(all.notes.size(), 1u);
  EXPECT_NE(all.notes[0].find("exit status depends on which message rank 1"), std::string::npos);
}

// A run that ends by itself, with another status than the one it was made from.
TEST(Campaign, a_status_that_depends_on_an_order_is_an_error) {
  const Simulated program = crooked_barrier();
  for (const bool early : {false, true}) {
    Search search(Protocol::vector, {});
    class Quiet : public SimRunner {
     public:
      Quiet(const Simulated& program, bool early) : SimRunner(program), early_(early) {}
      std::optional<Ran> wait() override {
        auto ran = SimRunner::wait();
        if (!early_) ran->summary.findings.clear();
        return ran;
      }

     private:
      const bool early_;
    } runner(program, early);
    Campaign campaign(search, runner, {});
    campaign.again([](const std::string& s) { return "vouch replay " + s; });
    campaign.run();
    const Summary all = campaign.summary();
    ASSERT_EQ(all.findings.size(), 1u);
    EXPECT_EQ(all.findings[0].rule, early ? "crash/assert" : "race/message-harmful");
    EXPECT_TRUE(all.findings[0].again.starts_with("vouch replay S"));
    if (early) continue;
    EXPECT_EQ(all.findings[0].message,
              "the program returns 1 in this schedule and 0 in one that parts from it here");
    EXPECT_EQ(all.findings[0].ranks, std::vector{1});
  }
}

// The message that is named is the one with which it does not happen; and a command that does not
// show the error again is not given.
TEST(Campaign, the_message_of_the_other_run_is_named) {
  for (const bool shows_again : {true, false}) {
    const Simulated program = crooked_barrier();
    Search search(Protocol::vector, {});
    class Repeating : public SimRunner {
     public:
      Repeating(const Simulated& program, bool shows) : SimRunner(program), shows_(shows) {}
      std::optional<Ran> wait() override {
        auto ran = SimRunner::wait();
        ran->seen.cut = ran->status != 0;
        if (ran->status != 0) {
          failed = ran->schedule;
          for (std::size_t op = 0; op < ran->seen.met.size(); ++op)
            if (took < 0 && is_event(ran->seen.program[static_cast<OpId>(op)]))
              took = ran->seen.program[ran->seen.met[op]].process;
          found = ran->summary;
        }
        return ran;
      }
      std::optional<Summary> repeat(const std::string& schedule) override {
        EXPECT_EQ(schedule, failed);
        return shows_ ? found : Summary{};
      }
      std::string failed;
      int took = -1;
      Summary found;

     private:
      const bool shows_;
    } runner(program, shows_again);
    Campaign campaign(search, runner, {});
    campaign.again([](const std::string& s) { return "vouch replay " + s; });
    campaign.otherwise("vouch explore");
    campaign.run();
    const Summary all = campaign.summary();
    ASSERT_EQ(all.findings.size(), 1u);
    EXPECT_EQ(all.findings[0].again,
              shows_again ? "vouch replay " + runner.failed : "vouch explore");
    const Location& other = all.findings[0].locations.back();
    EXPECT_EQ(other.role, "could also be taken");
    EXPECT_NE(other.rank, runner.took);
  }
}

// One receive in a loop, that goes wrong in many ways and at many places.
class Looping : public SimRunner {
 public:
  using SimRunner::SimRunner;
  std::optional<Ran> wait() override {
    auto ran = SimRunner::wait();
    ran->seen.program.sites = {"a.c:3"};
    const auto at = [](int line) {
      Location l;
      l.file = "a.c";
      l.line = line;
      return l;
    };
    Finding predicted;
    predicted.rule = "race/message-harmful";
    predicted.potential = true;
    predicted.locations = {at(3), at(20 + static_cast<int>(runs % 3))};
    ran->summary.findings = {predicted};
    if (runs % 2 == 0) {
      Finding harm;
      harm.rule = runs % 4 == 0 ? "deadlock/wait-cycle" : "deadlock/finished-rank";
      harm.locations = {at(10 + static_cast<int>(runs % 7))};
      ran->summary.findings.push_back(harm);
    }
    return ran;
  }
};

TEST(Campaign, a_race_and_what_comes_of_it_are_one_finding) {
  const Simulated program = matmul(3, 4);
  Search search(Protocol::vector, {});
  Looping runner(program);
  Campaign campaign(search, runner, {});
  campaign.run();
  const Summary all = campaign.summary();
  EXPECT_GT(runner.runs, 10u);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_TRUE(all.findings[0].rule.starts_with("deadlock/"));
  ASSERT_EQ(all.findings[0].locations.size(), 3u);
  EXPECT_EQ(where(all.findings[0].locations[1]), "a.c:3");
  EXPECT_TRUE(all.findings[0].locations[1].role.starts_with("decides"));
  // The message of the run without the harm: one of the workers'.
  EXPECT_EQ(all.findings[0].locations[2].role, "could also be taken");
  EXPECT_GT(all.findings[0].locations[2].rank, 0);
}

// What every run shows is decided by nobody.
TEST(Campaign, what_all_runs_show_has_no_race) {
  const Simulated program = crooked_barrier();
  class Always : public SimRunner {
   public:
    using SimRunner::SimRunner;
    std::optional<Ran> wait() override {
      auto ran = SimRunner::wait();
      Finding f;
      f.rule = "buffer/pending-overlap";
      f.locations.emplace_back().file = "a.c";
      // In one of them somebody hangs for it: that is not lost.
      if (ran->status != 0) {
        f.consequences = {"and so rank 1 waits forever at a.c:9"};
        ran->summary.not_checked.push_back({"rank 1", "what comes after the deadlock", 1, {}, {}});
      }
      ran->summary.findings = {f};
      return ran;
    }
  } runner(program);
  Search search(Protocol::vector, {});
  Campaign campaign(search, runner, {});
  campaign.again([](const std::string& s) { return "vouch replay " + s; });
  campaign.run();
  const Summary all = campaign.summary();
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].consequences.size(), 1u);
  EXPECT_EQ(all.findings[0].count, 2u);
}

// Of one that hung or failed the launcher tells, too.
TEST(Campaign, only_what_a_program_prints_by_itself_is_compared) {
  const Simulated program = crooked_barrier();
  for (const bool fails : {false, true}) {
    class Prints : public SimRunner {
     public:
      Prints(const Simulated& program, bool fails) : SimRunner(program), fails_(fails) {}
      std::optional<Ran> wait() override {
        auto ran = SimRunner::wait();
        ran->output = static_cast<std::uint64_t>(ran->status);
        ran->summary.findings.clear();
        if (!fails_) ran->status = 0;
        return ran;
      }

     private:
      const bool fails_;
    } runner(program, fails);
    Search search(Protocol::vector, {});
    Campaign campaign(search, runner, {});
    campaign.run();
    std::string notes;
    for (const std::string& note : campaign.summary().notes) notes += note + "\n";
    EXPECT_EQ(notes.find("what the program prints") == std::string::npos, fails) << notes;
  }
}

TEST(Campaign, a_schedule_that_cannot_happen_here_leaves_no_gap) {
  const Simulated program = crooked_barrier();
  class Waits : public SimRunner {
   public:
    using SimRunner::SimRunner;
    std::optional<Ran> wait() override {
      auto ran = SimRunner::wait();
      ran->summary.findings.clear();
      ran->status = 0;
      if (ran->job.number == 0) return ran;
      ran->diverged = std::string(kCannotHappen) + ": a send waits";
      ran->summary.not_checked.push_back({std::string(kTheSchedule), ran->diverged, 1, {}, {}});
      return ran;
    }
  } runner(program);
  Search search(Protocol::vector, {});
  Campaign campaign(search, runner, {});
  campaign.run();
  const Summary all = campaign.summary();
  EXPECT_TRUE(all.not_checked.empty());
  EXPECT_TRUE(all.exploration.exhausted);
  ASSERT_EQ(all.notes.size(), 1u);
  EXPECT_TRUE(all.notes[0].starts_with("1 schedule cannot happen with this library"));
}

// [E35]
TEST(Campaign, several_at_once_reach_the_same) {
  for (const std::size_t jobs : {1u, 2u, 5u}) {
    const Simulated program = matmul(3, 5);
    Search search(Protocol::vector, {});
    SimRunner runner(program);
    Campaign campaign(search, runner, {.runs = 0, .until = {}, .jobs = jobs});
    campaign.run();
    EXPECT_EQ(runner.runs, 54u) << jobs;
    EXPECT_EQ(runner.outcomes.size(), 54u) << jobs;
  }
}

// [E39]
TEST(Campaign, limits_leave_a_rest_that_is_named) {
  const Simulated program = matmul(3, 5);
  Search search(Protocol::vector, {});
  SimRunner runner(program);
  Campaign campaign(search, runner, {.runs = 10, .until = {}, .jobs = 2});
  campaign.run();
  const Summary all = campaign.summary();
  EXPECT_EQ(all.exploration.schedules, 10u);
  EXPECT_FALSE(all.exploration.exhausted);
  ASSERT_FALSE(all.not_checked.empty());
  EXPECT_EQ(all.not_checked[0].reason, "they are known and were not run");
}

// [E34]
TEST(Campaign, a_state_with_paths_that_no_rank_can_take_is_damaged) {
  const std::string path = testing::TempDir() + "vouch_journal_alone_test";
  const Subject subject{{"./app"}, 4, {}, "depth"};
  const auto resumes = [&](const Decisions& taken) {
    Search search(Protocol::vector, {});
    const Simulated program = matmul(3, 5);
    SimRunner runner(program, 1);
    Campaign campaign(search, runner, {.runs = 1});
    auto journal = Journal::create(path, subject);
    campaign.on_run([&](const Ran& ran) {
      Ran tried = ran;
      tried.alone = Alone{};
      tried.alone->differing = {taken};
      journal->add(tried);
    });
    campaign.run();
    return Journal::resume(path, subject).ok();
  };
  EXPECT_TRUE(resumes({{{0, 0}, 1, 1}, {{0, 1}, 2, 2}}));
  EXPECT_TRUE(resumes({{{0, kFirstPick}, 1, -1}}));
  // A schedule has a place for each decision up to the last one.
  EXPECT_FALSE(resumes({{{0, kFirstPick - 1}, 1, 1}}));
  EXPECT_FALSE(resumes({{{0, -1}, 1, 1}}));
  EXPECT_FALSE(resumes({{{4, 0}, 1, 1}}));
  EXPECT_FALSE(resumes({{{-1, 0}, 1, 1}}));
  EXPECT_FALSE(resumes({{{0, 0}, 4, 1}}));
  EXPECT_FALSE(resumes({{{0, 0}, 1, -7}}));
}

// [E34]
TEST(Campaign, a_path_that_names_an_event_twice_ends) {
  const Simulated program = matmul(3, 5);
  Search search(Protocol::vector, {});
  SimRunner runner(program, 1);
  Campaign campaign(search, runner, {.runs = 1});
  std::optional<Ran> first;
  campaign.on_run([&](const Ran& ran) { first = ran; });
  campaign.run();
  ASSERT_TRUE(first);
  first->alone = Alone{};
  first->alone->whole = true;
  first->alone->differing.push_back({{{0, 0}, 1, 1}, {{0, 0}, 2, 2}});
  Search again(Protocol::vector, {});
  SimRunner nothing(program, 0);
  Limits limits{.runs = 1};
  limits.prove = true;
  Campaign later(again, nothing, limits);
  later.take(std::move(*first));
  EXPECT_GE(again.open(), 1u);
}

// [E34]
TEST(Campaign, goes_on_where_it_was_left) {
  const std::string path = testing::TempDir() + "vouch_journal_test";
  const Subject subject{{"./app"}, 4, {{"--clocks", "lvcp"}}, "depth"};
  for (const std::size_t jobs : {1u, 3u}) {
    for (const std::size_t stop : {1u, 7u, 30u}) {
      Bounds bounds;
      if (stop == 7) bounds.order = Bounds::Order::novel;
      const Simulated program = matmul(3, 5);
      std::set<SimOutcome> outcomes;
      std::size_t runs = 0;
      {
        Search search(Protocol::vector, bounds);
        SimRunner runner(program, stop);
        Campaign campaign(search, runner, {.runs = 0, .until = {}, .jobs = jobs});
        auto journal = Journal::create(path, subject);
        ASSERT_TRUE(journal.ok());
        campaign.on_run([&](const Ran& ran) { journal->add(ran); });
        campaign.run();
        outcomes = runner.outcomes;
        runs = runner.runs;
        EXPECT_EQ(runs, stop);
      }
      std::FILE* cut = std::fopen(path.c_str(), "a");
      std::fputs("{\"job\":", cut);  // killed while writing
      std::fclose(cut);
      auto resumed = Journal::resume(path, subject);
      ASSERT_TRUE(resumed.ok()) << resumed.error();
      EXPECT_EQ(resumed->runs.size(), stop);
      Search search(Protocol::vector, bounds);
      SimRunner runner(program);
      Campaign campaign(search, runner, {.runs = 0, .until = {}, .jobs = jobs});
      for (Ran& ran : resumed->runs) campaign.take(std::move(ran));
      campaign.run();
      outcomes.insert(runner.outcomes.begin(), runner.outcomes.end());
      EXPECT_EQ(runs + runner.runs, 54u) << jobs << " " << stop;
      EXPECT_EQ(outcomes.size(), 54u);
      EXPECT_EQ(campaign.summary().exploration.schedules, 54u);
      EXPECT_TRUE(campaign.summary().exploration.exhausted);
    }
  }
  EXPECT_EQ(Journal::order_of(path), "depth");
  const auto refused = [&](const Subject& other) {
    return Journal::resume(path, other).error().substr(path.size() + 1);
  };
  Subject other = subject;
  other.command = {"./other"};
  EXPECT_EQ(refused(other), "is the exploration of another program");
  other = subject;
  other.ranks = 3;
  EXPECT_EQ(refused(other), "was made with 4 ranks, not with 3");
  other = subject;
  other.options["--clocks"] = "llcp";
  EXPECT_EQ(refused(other), "was made with --clocks lvcp, not with --clocks llcp");
  other = subject;
  other.options["--prove"] = "";
  EXPECT_EQ(refused(other), "was made without --prove, not with --prove");
  other = subject;
  other.order = "novel";
  EXPECT_EQ(refused(other), "was made with --order depth, not with --order novel");
  // Whatever the file says, it is said in one short line.
  std::FILE* damaged = std::fopen(path.c_str(), "r+");
  std::string head(1000, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), damaged));
  head = head.substr(0, head.find('\n'));
  const auto at = head.find("\"--clocks\":\"lvcp\"");
  ASSERT_NE(at, std::string::npos);
  head.replace(at, 17, "\"--clocks\":\"lvcp\",\"--a\\u0007b\":\"" + std::string(500, 'x') + "\"");
  std::rewind(damaged);
  std::fputs((head + "\n").c_str(), damaged);
  std::fclose(damaged);
  EXPECT_EQ(refused(subject),
            "was made with --a\\u0007b " + std::string(60, 'x') + "..., not without --a\\u0007b");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace vouch::explore
