// Random threads with locks, run by a scheduler that holds calls back as the shim does, against all
// interleavings by brute force: what is reported must be possible, and for two threads with locks
// only around their calls, what is possible must be reported.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/testing/run_text.h"
#include "analysis/thread/thread_use.h"

namespace vouch {
namespace {

struct Step {
  enum class What { lock, unlock, call } what;
  int number;  // of the lock, or of the kind of call
};
using Threads = std::vector<std::vector<Step>>;

// Calls with the same class conflict with each other; those without one with nobody.
struct CallKind {
  const char* text;
  int conflict;
};
const std::vector<CallKind> kMultipleCalls = {
    {"Barrier", 1},        {"Bcast", 1},       {"Barrier comm=c", 2}, {"Wait request=r", 3},
    {"Wait request=s", 4}, {"Send dest=1", 0}, {"Recv source=1", 0},
};
const std::vector<CallKind> kSerializedCalls = {
    {"Send dest=1", 1}, {"Recv source=1", 1}, {"Barrier", 1}, {"Wtime", 0}};

// Line numbers of the calls, one for each step.
std::string site(std::size_t thread, std::size_t step) {
  return "t.c:" + std::to_string(100 * (thread + 1) + step);
}

// All interleavings ------------------------------------------------------------------------------
class Brute {
 public:
  Brute(const Threads& threads, const std::vector<CallKind>& kinds)
      : threads_(threads), kinds_(kinds), at_(threads.size()), inside_(threads.size()) {
    explore();
  }
  // Sites of calls that can be inside at once with one they conflict with.
  std::set<std::string> possible;

 private:
  void explore() {
    std::vector<std::size_t> state = at_;
    for (const bool inside : inside_) state.push_back(inside);
    if (!seen_.insert(state).second) return;  // who owns which lock follows from where they are
    for (std::size_t a = 0; a < threads_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) note(a, b);
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (at_[t] == threads_[t].size()) continue;
      const Step step = threads_[t][at_[t]];
      if (step.what == Step::What::lock && owned(step.number)) continue;
      if (step.what == Step::What::call && !inside_[t]) {
        inside_[t] = true;
        explore();
        inside_[t] = false;
        continue;
      }
      const bool inside = inside_[t];
      inside_[t] = false;
      ++at_[t];
      explore();
      --at_[t];
      inside_[t] = inside;
    }
  }
  void note(std::size_t a, std::size_t b) {
    if (!inside_[a] || !inside_[b]) return;
    const int kind = conflict(a);
    if (kind == 0 || kind != conflict(b)) return;
    possible.insert(site(a, at_[a]));
    possible.insert(site(b, at_[b]));
  }
  int conflict(std::size_t t) const {
    return kinds_[static_cast<std::size_t>(threads_[t][at_[t]].number)].conflict;
  }
  bool owned(int lock) const {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      bool has = false;
      for (std::size_t i = 0; i < at_[t]; ++i) {
        const Step s = threads_[t][i];
        if (s.what == Step::What::lock && s.number == lock) has = true;
        if (s.what == Step::What::unlock && s.number == lock) has = false;
      }
      if (has) return true;
    }
    return false;
  }

  const Threads& threads_;
  const std::vector<CallKind>& kinds_;
  std::vector<std::size_t> at_;
  std::vector<bool> inside_;
  std::set<std::vector<std::size_t>> seen_;
};

// One run ----------------------------------------------------------------------------------------
class Run {
 public:
  Run(const Threads& threads, const std::vector<CallKind>& kinds, bool serialized,
      std::mt19937& random, bool hold_all)
      : threads_(threads),
        kinds_(kinds),
        serialized_(serialized),
        random_(random),
        hold_all_(hold_all),
        at_(threads.size()),
        state_(threads.size(), State::outside) {
    while (step()) {
    }
  }
  std::string text;

 private:
  enum class State { outside, held, inside };

  bool step() {
    std::vector<std::size_t> movable, held;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (at_[t] == threads_[t].size()) continue;
      const Step step = threads_[t][at_[t]];
      if (state_[t] == State::held) {
        held.push_back(t);
      } else if (step.what != Step::What::lock || !owners_.contains(step.number)) {
        movable.push_back(t);
      }
    }
    // The shim gives up holding when nobody else runs, or earlier.
    const bool impatient = !hold_all_ && random_() % 4 == 0;
    if (!held.empty() && (movable.empty() || impatient)) {
      const std::size_t t = held[random_() % held.size()];
      say(t, "issued");
      state_[t] = State::inside;
      return true;
    }
    if (movable.empty()) return false;
    move(movable[random_() % movable.size()]);
    return true;
  }

  void move(std::size_t t) {
    const Step step = threads_[t][at_[t]];
    if (step.what == Step::What::call && state_[t] == State::outside) return enter(t, step);
    if (step.what == Step::What::lock) owners_.insert(step.number);
    if (step.what == Step::What::unlock) owners_.erase(step.number);
    if (step.what == Step::What::call) say(t, "return");
    state_[t] = State::outside;
    ++at_[t];
  }

  void enter(std::size_t t, const Step& step) {
    const CallKind& kind = kinds_[static_cast<std::size_t>(step.number)];
    const bool hold = kind.conflict != 0 && (hold_all_ || random_() % 2 == 0);
    say(t, std::string(kind.text) + (hold ? " ^" : "") + " ... @" + site(t, at_[t]));
    state_[t] = hold ? State::held : State::inside;
    if (!serialized_ || kind.conflict == 0) return;
    if (newest_ && *newest_ != t && state_[*newest_] != State::outside)
      say(t, "inside " + std::to_string(*newest_));
    newest_ = t;
  }
  void say(std::size_t t, const std::string& what) {
    text += "0." + std::to_string(t) + " " + what + "\n";
  }

  const Threads& threads_;
  const std::vector<CallKind>& kinds_;
  const bool serialized_;
  std::mt19937& random_;
  const bool hold_all_;
  std::vector<std::size_t> at_;
  std::vector<State> state_;
  std::set<int> owners_;
  std::optional<std::size_t> newest_;
};

// Locks do not nest. `simple`: two threads, one call in each, and locks only around it.
Threads random_threads(std::mt19937& random, std::size_t kinds, bool simple) {
  Threads threads(simple ? 2 : 2 + random() % 2);
  for (auto& steps : threads) {
    const std::size_t blocks = simple ? 1 : 1 + random() % 3;
    for (std::size_t b = 0; b < blocks; ++b) {
      const int lock = static_cast<int>(random() % 3) - 1;
      const std::size_t calls = simple ? 1 : random() % 3;
      if (lock >= 0) steps.push_back({Step::What::lock, lock});
      for (std::size_t c = 0; c < calls; ++c)
        steps.push_back({Step::What::call, static_cast<int>(random() % kinds)});
      if (lock >= 0) steps.push_back({Step::What::unlock, lock});
    }
  }
  return threads;
}

std::set<std::string> sites_in(const std::string& findings) {
  std::set<std::string> sites;
  for (std::size_t at = 0; (at = findings.find('@', at)) != std::string::npos; ++at)
    sites.insert(findings.substr(at + 1, findings.find('\n', at) - at - 1));
  return sites;
}

void compare(bool serialized, bool simple, unsigned seed) {
  std::mt19937 random(seed);
  const auto& kinds = serialized ? kSerializedCalls : kMultipleCalls;
  const Threads threads = random_threads(random, kinds.size(), simple);
  const std::string level = serialized ? "THREAD_SERIALIZED" : "THREAD_MULTIPLE";
  const std::string before = "0 Init_thread required=" + level + " -> provided=" + level +
                             "\n0 Comm_dup -> newcomm=c\n0 comm c size=2 rank=0 members=0,1\n"
                             "0 Irecv source=1 -> request=r\n0 Irecv source=1 -> request=s\n";
  const Brute brute(threads, kinds);
  const Run one(threads, kinds, serialized, random, simple);
  const std::string findings = run<ThreadUse>(before + one.text);
  ASSERT_EQ(findings.find("text "), std::string::npos) << findings << before + one.text;
  for (const std::string& site : sites_in(findings)) {
    ASSERT_TRUE(brute.possible.contains(site)) << "seed " << seed << ", not possible:\n"
                                               << findings << before + one.text;
  }
  if (simple) {
    ASSERT_EQ(findings.empty(), brute.possible.empty())
        << "seed " << seed << ", missed or made up:\n"
        << findings << before + one.text;
  }
}

const unsigned kRounds = std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 20000 : 300;

TEST(ThreadRandom, what_is_reported_is_possible) {
  for (unsigned seed = 1; seed <= kRounds; ++seed) {
    ASSERT_NO_FATAL_FAILURE(compare(true, false, seed));
    ASSERT_NO_FATAL_FAILURE(compare(false, false, seed));
  }
}

TEST(ThreadRandom, what_is_possible_is_reported) {
  for (unsigned seed = 1; seed <= kRounds; ++seed) {
    ASSERT_NO_FATAL_FAILURE(compare(true, true, seed));
    ASSERT_NO_FATAL_FAILURE(compare(false, true, seed));
  }
}

}  // namespace
}  // namespace vouch
