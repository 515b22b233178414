// Epochs and attached memory against the plain way: the whole history is read anew for every call.

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <set>
#include <vector>

#include "analysis/rma/epochs.h"
#include "analysis/rma/memory.h"

namespace vouch {
namespace {

struct Step {
  enum What {
    fence,
    start,
    complete,
    post,
    wait,
    lock,
    unlock,
    lock_all,
    unlock_all,
    flush,
    flush_all,
    put,
    rput,
    free,
    count_
  };
  What what;
  int target;        // of lock, unlock, flush, put, rput
  bool first, last;  // fence: MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED
  unsigned group;    // start: bits
};
enum class Verdict { fine, missing, nested };
constexpr int kSelf = 1;  // the process's own rank

// What the standard says of a history, step by step: which calls opened, which closed.
class History {
 public:
  Verdict add(const Step& s) {
    const Verdict v = judge(s);
    past_.push_back(s);
    return v;
  }

 private:
  // Access epochs of lock, start and the like that are open, as places in the history.
  std::vector<std::size_t> open() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < past_.size(); ++i) {
      const Step& s = past_[i];
      if (s.what == Step::start || s.what == Step::lock || s.what == Step::lock_all)
        all.push_back(i);
      std::erase_if(all, [&](std::size_t o) {
        const Step& was = past_[o];
        return (s.what == Step::complete && was.what == Step::start) ||
               (s.what == Step::unlock && was.what == Step::lock && was.target == s.target) ||
               (s.what == Step::unlock_all && was.what == Step::lock_all);
      });
    }
    return all;
  }
  bool exposed() const {
    int n = 0;
    for (const Step& s : past_) n += (s.what == Step::post) - (s.what == Step::wait);
    return n > 0;
  }
  std::optional<std::size_t> last_fence() const {
    for (std::size_t i = past_.size(); i > 0; --i) {
      if (past_[i - 1].what == Step::fence) return i - 1;
    }
    return {};
  }
  bool since(std::size_t fence, bool (*is)(Step::What)) const {
    for (std::size_t i = fence + 1; i < past_.size(); ++i) {
      if (is(past_[i].what)) return true;
    }
    return false;
  }
  static bool opens(Step::What w) {
    return w == Step::start || w == Step::lock || w == Step::lock_all;
  }
  // Data were moved since the fence outside other epochs, and no fence has completed them.
  bool fence_used() const {
    const auto f = last_fence();
    return f && !since(*f, opens) && since(*f, [](Step::What w) { return w == Step::put; });
  }
  bool locked(int target) const {
    for (const std::size_t o : open()) {
      if (past_[o].what == Step::lock_all ||
          (past_[o].what == Step::lock && past_[o].target == target))
        return true;
    }
    return false;
  }
  bool any(Step::What w) const {
    for (const std::size_t o : open()) {
      if (past_[o].what == w) return true;
    }
    return false;
  }
  Verdict judge(const Step& s) const {
    const auto needs = [](bool b) { return b ? Verdict::fine : Verdict::missing; };
    const auto unless = [](bool b) { return b ? Verdict::nested : Verdict::fine; };
    switch (s.what) {
      case Step::fence:
        return unless(!open().empty() || exposed() || (s.first && fence_used()));
      case Step::start:
        return unless(!open().empty() || fence_used());
      case Step::lock_all:
        return unless(!open().empty() || exposed() || fence_used());
      case Step::lock:
        return unless(locked(s.target) || any(Step::start) || fence_used() ||
                      (s.target == kSelf && exposed()));
      case Step::post:
        return unless(exposed() || locked(kSelf));
      case Step::free:
        return unless(!open().empty() || exposed() || fence_used());
      case Step::complete:
        return needs(any(Step::start));
      case Step::wait:
        return needs(exposed());
      case Step::unlock:
        return needs(locked(s.target) && !any(Step::lock_all));
      case Step::unlock_all:
        return needs(any(Step::lock_all));
      case Step::flush:
      case Step::rput:
        return needs(locked(s.target));
      case Step::flush_all:
        return needs(any(Step::lock) || any(Step::lock_all));
      case Step::put: {
        if (locked(s.target)) return Verdict::fine;
        for (const std::size_t o : open()) {
          if (past_[o].what == Step::start) return needs(past_[o].group >> s.target & 1);
        }
        const auto f = last_fence();
        return needs(open().empty() && f && !past_[*f].last && !since(*f, opens));
      }
      case Step::count_:
        break;
    }
    return Verdict::fine;
  }
  std::vector<Step> past_;
};

Verdict judge(Epochs& e, const Step& s, unsigned& group) {
  const Epochs::Since now{Proc::put, Site{1}};
  Epochs::Judged judged;
  switch (s.what) {
    case Step::fence:
      judged = e.fence(s.first, s.last, now);
      break;
    case Step::start:
      judged = e.start(now);
      group = s.group;
      break;
    case Step::complete:
      judged = e.complete(now);
      break;
    case Step::post:
      judged = e.post(now);
      break;
    case Step::wait:
      judged = e.wait(now);
      break;
    case Step::lock:
      judged = e.lock(s.target, now);
      break;
    case Step::unlock:
      judged = e.unlock(s.target, now);
      break;
    case Step::lock_all:
      judged = e.lock_all(now);
      break;
    case Step::unlock_all:
      judged = e.unlock_all(now);
      break;
    case Step::flush:
      judged = e.flush(s.target);
      break;
    case Step::flush_all:
      judged = e.flush_all();
      break;
    case Step::put:
    case Step::rput:
      judged = e.move(s.target, (group >> s.target & 1) != 0, s.what == Step::rput, now);
      break;
    case Step::free:
      judged = e.free();
      break;
    case Step::count_:
      break;
  }
  if (!judged) return Verdict::fine;
  EXPECT_FALSE(judged->message().empty());
  return judged->nested ? Verdict::nested : Verdict::missing;
}

TEST(EpochsRandom, agree_with_the_history) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int found[3] = {0, 0, 0};
  for (int round = 0; round < 20000; ++round) {
    History history;
    Epochs epochs;
    epochs.belong_to(kSelf);
    unsigned group = 0;
    for (int length = 0; length < 30; ++length) {
      const Step s{static_cast<Step::What>(below(Step::count_)), below(3), below(3) == 0,
                   below(3) == 0, static_cast<unsigned>(below(8))};
      // Random calls are mostly wrong; most of those are left out, so that histories get long.
      History ahead = history;
      const Verdict expected = ahead.add(s);
      if (expected != Verdict::fine && below(8) != 0) continue;
      ASSERT_EQ(judge(epochs, s, group), expected)
          << "round " << round << ", call " << s.what << " on " << s.target;
      ++found[static_cast<int>(expected)];
      // The first wrong call ends it, but for one that neither opens nor closes.
      if (expected != Verdict::fine && s.what != Step::put && s.what != Step::rput &&
          s.what != Step::flush && s.what != Step::flush_all && s.what != Step::free)
        break;
      if (expected == Verdict::fine && s.what != Step::free) history = ahead;
    }
  }
  for (const int n : found) EXPECT_GT(n, 3000);
}

TEST(AttachedRandom, agrees_with_bytes) {
  std::mt19937 random(9);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const TypeRef byte = make_named(Constant::byte, 1, 1);
  int outside = 0;
  for (int round = 0; round < 2000; ++round) {
    WindowPart part;
    part.known = part.dynamic = true;
    std::set<std::int64_t> bytes;
    for (int step = 0; step < 20; ++step) {
      if (below(3) == 0) {
        const std::int64_t base = below(60), size = below(12);
        part.attach(base, size);
        for (std::int64_t b = base; b < base + size; ++b) bytes.insert(b);
      }
      std::vector<std::int64_t> lengths, at;
      for (int i = 1 + below(3); i > 0; --i) {
        lengths.push_back(below(4));
        at.push_back(below(20) - 4);
      }
      TypeRef type = make_hindexed(lengths, at, byte);
      if (below(2) == 0) type = make_resized(below(5) - 2, below(30) - 8, type);
      const std::int64_t disp = below(50), count = below(4);
      bool inside = true;
      for (std::int64_t k = 0; k < count; ++k) {
        for_each_interval(type->layout, disp + k * type->extent(), [&](const Interval& i) {
          for (std::int64_t b = i.lo; b < i.hi; ++b) inside = inside && bytes.contains(b);
          return true;
        });
      }
      ASSERT_EQ(part.fit(disp, count, *type),
                inside ? WindowPart::Fit::inside : WindowPart::Fit::outside)
          << "round " << round;
      outside += !inside;
      // The same of a window that has all its memory from the start.
      WindowPart plain;
      plain.known = true;
      plain.bytes = 40;
      bool within = true;
      for (std::int64_t k = 0; k < count; ++k) {
        for_each_interval(type->layout, disp + k * type->extent(), [&](const Interval& i) {
          within = within && i.lo >= 0 && i.hi <= plain.bytes;
          return true;
        });
      }
      ASSERT_EQ(plain.fit(disp, count, *type),
                within ? WindowPart::Fit::inside : WindowPart::Fit::outside)
          << "round " << round;
    }
  }
  EXPECT_GT(outside, 1000);
}

}  // namespace
}  // namespace vouch
