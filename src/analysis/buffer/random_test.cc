// Random layouts and random sets of pending operations against a map of single bytes [U19, U20].

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "analysis/buffer/buffer.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// A type as the list of its bytes, built here from the words of the standard, not by the model.
struct NaiveType {
  std::string name;
  std::vector<std::int64_t> bytes;
  std::int64_t lb, ub;
};

class Oracle {
 public:
  explicit Oracle(unsigned seed) : random_(seed) {
    // Of bytes only: an extent rounded up to an alignment (MPI-4.1 5.1) is not the subject here.
    text +=
        "0 Type_contiguous count=4 oldtype=BYTE newtype=b4\n"
        "0 Type_contiguous count=8 oldtype=BYTE newtype=b8\n";
    for (const auto& [name, size] : {std::pair{"BYTE", 1}, {"b4", 4}, {"b8", 8}}) {
      NaiveType t{name, {}, 0, size};
      for (int i = 0; i < size; ++i) t.bytes.push_back(i);
      types_.push_back(t);
    }
  }

  void go() {
    for (int i = 0; i < 6; ++i) make_type();
    for (int i = 0; i < 40; ++i) step();
  }

  std::string text = "0 world size=2\n";
  std::set<std::string> expected;

 private:
  struct Use {
    std::vector<std::int64_t> bytes;
    bool writes = false;
  };
  struct Pending {
    std::string request;
    Use use;
    bool persistent = false, active = false;
  };

  std::int64_t pick(std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_);
  }

  void place(NaiveType& t, const NaiveType& old, std::int64_t at, bool first) {
    for (const std::int64_t b : old.bytes) t.bytes.push_back(at + b);
    t.lb = first ? at + old.lb : std::min(t.lb, at + old.lb);
    t.ub = first ? at + old.ub : std::max(t.ub, at + old.ub);
  }

  void make_type() {
    const NaiveType old =
        types_[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(types_.size()) - 1))];
    NaiveType t{fmt::format("t{}", types_.size()), {}, 0, 0};
    switch (pick(0, 3)) {
      case 0: {
        const std::int64_t count = pick(1, 4), length = pick(1, 3), stride = pick(-24, 40);
        for (std::int64_t i = 0; i < count; ++i)
          for (std::int64_t k = 0; k < length; ++k)
            place(t, old, i * stride + k * (old.ub - old.lb), i + k == 0);
        text += fmt::format(
            "0 Type_create_hvector count={} blocklength={} stride={} oldtype={} newtype={}\n",
            count, length, stride, old.name, t.name);
        break;
      }
      case 1: {
        const std::int64_t n = pick(1, 4);
        std::string lengths, displacements;
        bool first = true;
        for (std::int64_t i = 0; i < n; ++i) {
          const std::int64_t length = pick(0, 2) + (i == 0), at = pick(-20, 60);
          for (std::int64_t k = 0; k < length; ++k, first = false)
            place(t, old, at + k * (old.ub - old.lb), first);
          lengths += fmt::format("{}{}", i ? "," : "", length);
          displacements += fmt::format("{}{}", i ? "," : "", at);
        }
        text += fmt::format(
            "0 Type_create_hindexed array_of_blocklengths=[{}] array_of_displacements=[{}] "
            "oldtype={} newtype={}\n",
            lengths, displacements, old.name, t.name);
        break;
      }
      default: {
        t.bytes = old.bytes;
        t.lb = pick(-16, 16);
        const std::int64_t extent = pick(0, 3) == 0 ? 0 : pick(-12, 40);
        t.ub = t.lb + extent;
        text += fmt::format("0 Type_create_resized oldtype={} lb={} extent={} newtype={}\n",
                            old.name, t.lb, extent, t.name);
      }
    }
    types_.push_back(t);
  }

  // A buffer: its words, its bytes.
  Use buffer(const char* buf, const char* count, const char* type, bool writes,
             std::string& words) {
    const NaiveType& t =
        types_[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(types_.size()) - 1))];
    const std::int64_t n = pick(0, 3), at = 0x100000 + pick(0, 1500);
    words += fmt::format(" {}={:#x} {}={} {}={}", buf, at, count, n, type, t.name);
    Use use;
    use.writes = writes;
    for (std::int64_t i = 0; i < n; ++i)
      for (const std::int64_t b : t.bytes) use.bytes.push_back(at + i * (t.ub - t.lb) + b);
    return use;
  }

  static bool twice(const Use& u) {
    const std::set<std::int64_t> once(u.bytes.begin(), u.bytes.end());
    return u.writes && once.size() < u.bytes.size();
  }
  static bool conflict(const Use& a, const Use& b) {
    if (!a.writes && !b.writes) return false;
    const std::set<std::int64_t> bytes(a.bytes.begin(), a.bytes.end());
    return std::any_of(b.bytes.begin(), b.bytes.end(),
                       [&](std::int64_t x) { return bytes.count(x) != 0; });
  }
  bool meets_pending(const Use& u) const {
    return std::any_of(pending_.begin(), pending_.end(),
                       [&](const Pending& p) { return p.active && conflict(p.use, u); });
  }
  bool finding(const char* rule, int line) {
    expected.insert(fmt::format("{} ranks=0 @a.c:{}", rule, line));
    return true;
  }
  // Whether the call has a finding.
  bool judge(const std::vector<Use>& uses, int line, bool pends) {
    for (const Use& u : uses)
      if (twice(u)) return finding("type/overlap", line);
    if (uses.size() == 2 && conflict(uses[0], uses[1])) return finding("buffer/call-overlap", line);
    if (!pends) return false;
    for (const Use& u : uses)
      if (meets_pending(u)) return finding("buffer/pending-overlap", line);
    return false;
  }

  void step() {
    const int line = ++line_;
    const bool writes = pick(0, 1) == 1;
    std::string words;
    switch (pick(0, 5)) {
      case 0: {  // blocking
        const Use u = buffer("buf", "count", "datatype", writes, words);
        text += fmt::format("0 {}{} @a.c:{}\n", writes ? "Recv" : "Send", words, line);
        judge({u}, line, true);
        return;
      }
      case 1: {
        const Use s = buffer("sendbuf", "sendcount", "sendtype", false, words);
        const Use r = buffer("recvbuf", "recvcount", "recvtype", true, words);
        text += fmt::format("0 Sendrecv{} @a.c:{}\n", words, line);
        judge({s, r}, line, true);
        return;
      }
      case 2:
      case 3: {
        Pending p{fmt::format("r{}", line), buffer("buf", "count", "datatype", writes, words)};
        text += fmt::format("0 {}{} @a.c:{} -> request={}\n", writes ? "Irecv" : "Isend", words,
                            line, p.request);
        p.active = !judge({p.use}, line, true);
        if (p.active) pending_.push_back(p);
        return;
      }
      case 4: {
        Pending p{fmt::format("r{}", line), buffer("buf", "count", "datatype", writes, words)};
        text += fmt::format("0 {}{} @a.c:{} -> request={}\n", writes ? "Recv_init" : "Send_init",
                            words, line, p.request);
        p.persistent = true;
        if (!judge({p.use}, line, false)) pending_.push_back(p);
        return;
      }
      default: {
        if (pending_.empty()) return;
        const auto i = pending_.begin() + pick(0, static_cast<std::int64_t>(pending_.size()) - 1);
        if (i->persistent && !i->active) {
          text += fmt::format("0 Start request={} @a.c:{}\n", i->request, line);
          i->active = true;
          for (const Pending& p : pending_) {
            if (&p == &*i || !p.active || !conflict(p.use, i->use)) continue;
            finding("buffer/pending-overlap", line);
            dead_.insert(i->request);
          }
          if (dead_.count(i->request)) pending_.erase(i);
          return;
        }
        text += fmt::format("0 Wait request={} @a.c:{}\n", i->request, line);
        if (i->persistent) {
          i->active = false;
        } else {
          pending_.erase(i);
        }
      }
    }
  }

  std::mt19937 random_;
  std::vector<NaiveType> types_;
  std::vector<Pending> pending_;
  std::set<std::string> dead_;
  int line_ = 0;
};

TEST(BufferRandom, agrees_with_a_map_of_bytes) {
  std::map<std::string, int> seen;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Oracle oracle(seed);
    oracle.go();
    std::set<std::string> found;
    std::istringstream lines(run<BufferUse>(oracle.text));
    for (std::string line; std::getline(lines, line);) found.insert(line);
    ASSERT_EQ(found, oracle.expected) << "seed " << seed << "\n" << oracle.text;
    for (const std::string& line : found) ++seen[line.substr(0, line.find(' '))];
  }
  EXPECT_GT(seen["type/overlap"], 1000);
  EXPECT_GT(seen["buffer/call-overlap"], 100);
  EXPECT_GT(seen["buffer/pending-overlap"], 1000);
}

// Two irregular types, each a list of displacements in a vector of `count`; one has bytes at even
// places, the other at odd ones.
std::string interleaved(int count) {
  std::mt19937 random(1);
  std::string text;
  for (const char* name : {"a", "b"}) {
    std::string lengths, displacements;
    for (int i = 0; i < 400; ++i) {
      lengths += i ? ",1" : "1";
      displacements += fmt::format("{}{}", i ? "," : "",
                                   i * 64 + static_cast<int>(random() % 15) * 2 + (*name == 'b'));
    }
    text += fmt::format(
        "0 Type_create_hindexed array_of_blocklengths=[{}] array_of_displacements=[{}] "
        "oldtype=BYTE newtype={}0\n"
        "0 Type_create_hvector count={} blocklength=1 stride={} oldtype={}0 newtype={}\n",
        lengths, displacements, name, count, *name == 'a' ? 32000 : 32064, name, name);
  }
  return text +
         "0 Irecv buf=0x1000 count=1 datatype=a -> request=r\n"
         "0 Irecv buf=0x1000 count=1 datatype=b -> request=q\n";
}

// [U20, U59]
TEST(BufferRandom, over_budget_is_not_checked) {
  EXPECT_EQ(run<BufferUse>(interleaved(1000)), "");
  EXPECT_EQ(run<BufferUse>(interleaved(40000)), "not-checked overlap of buffers\n");
}

// Faces of one large array cost nothing to tell apart.
TEST(BufferRandom, faces_of_an_array_are_apart) {
  std::string text;
  for (int i = 0; i < 2; ++i)
    text += fmt::format(
        "0 Type_create_subarray array_of_sizes=[1000,1000,1000] array_of_subsizes=[998,998,1] "
        "array_of_starts=[1,1,{}] oldtype=DOUBLE newtype=f{}\n"
        "0 Irecv buf=0x100000 count=1 datatype=f{} -> request=r{}\n",
        i, i, i, i);
  EXPECT_EQ(run<BufferUse>(text), "");
}

}  // namespace
}  // namespace vouch
