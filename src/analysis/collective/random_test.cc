// Random programs in which all ranks agree, silent; and the same with one line of one rank changed,
// found.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analysis/collective/collective.h"
#include "analysis/collective/orders_test.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// What one rank says in a call, in plain numbers, for the naive judge.
struct Line {
  std::string call;  // "Bcast"
  std::string form;  // "", "I" or "_init"
  std::string comm;  // name
  int root = -1;     // -1: none
  std::string op;
  bool in_place = false;
  std::vector<int> send, recv;  // counts: one, or one for each member
  std::string type = "INT";
};

struct Comm {
  std::string name;
  std::vector<int> members;
};

const std::vector<std::string> kCalls = {
    "Barrier",  "Bcast",     "Gather",         "Gatherv",
    "Scatter",  "Scatterv",  "Allgather",      "Allgatherv",
    "Alltoall", "Alltoallv", "Reduce",         "Allreduce",
    "Scan",     "Exscan",    "Reduce_scatter", "Reduce_scatter_block"};

bool has_root(const std::string& c) {
  return c == "Bcast" || c == "Gather" || c == "Gatherv" || c == "Scatter" || c == "Scatterv" ||
         c == "Reduce";
}
bool reduces(const std::string& c) {
  return c.find("Reduce") == 0 || c == "Allreduce" || c == "Scan" || c == "Exscan";
}

class Programs {
 public:
  explicit Programs(unsigned seed) : random_(seed) {
    size_ = 2 + pick(5);
    std::vector<int> all;
    for (int r = 0; r < size_; ++r) all.push_back(r);
    comms_.push_back({"COMM_WORLD", all});
    split("even", [](int r) { return r % 2; });
    split("low", [&](int r) { return r < size_ / 2; });
    const int rounds = 3 + pick(10);
    for (int i = 0; i < rounds; ++i) round();
  }

  // Changes one line of one rank; the rule that must be found, "" if it makes no difference.
  std::string plant() {
    for (int tries = 0; tries < 200; ++tries) {
      Round& r = rounds_[static_cast<std::size_t>(pick(static_cast<int>(rounds_.size())))];
      const int n = static_cast<int>(r.of.size());
      if (n < 2) continue;
      std::vector<Line> changed = r.of;
      Line& l = changed[static_cast<std::size_t>(pick(n))];
      switch (pick(6)) {
        case 0:
          l.call = l.call == "Barrier" ? "Bcast" : "Barrier";
          break;
        case 1:
          l.form = l.form == "" ? "I" : l.form == "I" ? "_init" : "";
          break;
        case 2:
          l.root = l.root < 0 ? l.root : (l.root + 1) % n;
          break;
        case 3:
          l.op = l.op == "SUM" ? "MAX" : l.op;
          break;
        case 4: {
          std::vector<int>& counts = pick(2) == 0 ? l.send : l.recv;
          if (!counts.empty())
            ++counts[static_cast<std::size_t>(pick(static_cast<int>(counts.size())))];
          break;
        }
        default:
          l.in_place = !l.in_place;
          break;
      }
      const std::string rule = judge(changed);
      if (rule.empty() || rule == "not legal") continue;
      r.of = changed;
      return rule;
    }
    return "";
  }

  // Every pair compared, nothing clever.
  static std::string judge(const std::vector<Line>& all) {
    const int n = static_cast<int>(all.size());
    const Line& a = all[0];
    for (const Line& l : all) {
      if (l.call != a.call) return "collective/mismatch";
    }
    for (const Line& l : all) {
      if (l.form != a.form) return "collective/blocking";
    }
    for (const Line& l : all) {
      if (l.root != a.root) return "collective/root";
    }
    for (const Line& l : all) {
      if (l.op != a.op) return "collective/op";
    }
    const std::string& c = a.call;
    const bool some = c == "Scan" || c == "Exscan" || c == "Reduce_scatter";
    const bool by_all = c == "Allgather" || c == "Allgatherv" || c == "Alltoall" ||
                        c == "Alltoallv" || c == "Allreduce" || c == "Reduce_scatter_block";
    for (int i = 0; i < n; ++i) {
      const Line& l = all[static_cast<std::size_t>(i)];
      if (l.in_place && !some && !by_all && !(i == a.root && c != "Bcast")) return "not legal";
      if (by_all && l.in_place != a.in_place) return "collective/in-place";
    }
    const auto at = [](const std::vector<int>& counts, int peer) {
      return counts.size() == 1 ? counts[0] : counts[static_cast<std::size_t>(peer)];
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Line &x = all[static_cast<std::size_t>(i)], &y = all[static_cast<std::size_t>(j)];
        bool same = true;
        if (c == "Bcast" || reduces(c)) {
          same = x.send == y.send;
        } else if (c == "Gather" || c == "Gatherv") {
          same = j != a.root || (i == j && x.in_place) || at(x.send, 0) == at(y.recv, i);
        } else if (c == "Scatter" || c == "Scatterv") {
          same = i != a.root || (i == j && y.in_place) || at(x.send, j) == at(y.recv, 0);
        } else if (c == "Allgather" || c == "Allgatherv") {
          same = at(x.in_place ? x.recv : x.send, x.in_place ? i : 0) == at(y.recv, i);
        } else if (c == "Alltoall" || c == "Alltoallv") {
          same = at(x.in_place ? x.recv : x.send, j) == at(y.recv, i);
        }
        if (!same) return "collective/type";
      }
    }
    return "";
  }

  std::string text() const {
    std::string text;
    for (int r = 0; r < size_; ++r) {
      for (const std::string& s : start_[static_cast<std::size_t>(r)]) text += s;
    }
    int request = 0;
    for (const Round& r : rounds_) {
      ++request;
      for (std::size_t i = 0; i < r.of.size(); ++i) text += line(r.members[i], r.of[i], request);
    }
    for (int r = 0; r < size_; ++r) text += std::to_string(r) + " Finalize\n";
    return text;
  }

  void check() const {
    for (const Round& r : rounds_) ASSERT_EQ(judge(r.of), "");
  }

 private:
  struct Round {
    std::vector<int> members;
    std::vector<Line> of;
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  template <typename Colour>
  void split(const std::string& name, const Colour& colour) {
    start_.resize(static_cast<std::size_t>(size_));
    for (int c = 0; c < 2; ++c) {
      Comm comm{name, {}};
      for (int r = 0; r < size_; ++r) {
        if (static_cast<int>(colour(r)) == c) comm.members.push_back(r);
      }
      std::string list;
      for (const int m : comm.members) list += (list.empty() ? "" : ",") + std::to_string(m);
      for (std::size_t i = 0; i < comm.members.size(); ++i) {
        const std::string r = std::to_string(comm.members[i]);
        start_[static_cast<std::size_t>(comm.members[i])].push_back(
            r + " Comm_split color=" + std::to_string(c) + " newcomm=" + name + "\n" + r +
            " comm " + name + " size=" + std::to_string(comm.members.size()) +
            " rank=" + std::to_string(i) + " members=" + list + "\n");
      }
      if (comm.members.size() > 1) comms_.push_back(comm);
    }
  }

  void round() {
    const Comm& comm = comms_[static_cast<std::size_t>(pick(static_cast<int>(comms_.size())))];
    const int n = static_cast<int>(comm.members.size());
    Round r{comm.members, {}};
    Line all;
    all.call = kCalls[static_cast<std::size_t>(pick(static_cast<int>(kCalls.size())))];
    const int form = pick(4);
    all.form = form == 0 ? "I" : form == 1 ? "_init" : "";
    all.comm = comm.name;
    if (has_root(all.call)) all.root = pick(n);
    if (reduces(all.call)) all.op = pick(2) == 0 ? "SUM" : "MAX";
    const std::string& c = all.call;
    const int count = pick(4);
    std::vector<std::vector<int>> table(static_cast<std::size_t>(n));
    const bool in_place_table = pick(3) == 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        table[static_cast<std::size_t>(i)].push_back(
            in_place_table && j < i
                ? table[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]
                : pick(4));
      }
    }
    const auto column = [&](int j) {
      std::vector<int> result;
      for (int i = 0; i < n; ++i)
        result.push_back(table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      return result;
    };
    for (int i = 0; i < n; ++i) {
      Line l = all;
      const auto me = static_cast<std::size_t>(i);
      const bool root = i == all.root;
      if (c == "Bcast" || (reduces(c) && c != "Reduce_scatter")) l.send = {count};
      if (c == "Reduce_scatter") l.send = table[0];
      if (c == "Gather") l.send = {count};
      if (c == "Gather" && root) l.recv = {count};
      if (c == "Gatherv") l.send = {table[me][0]};
      if (c == "Gatherv" && root) l.recv = column(0);
      if (c == "Scatter") l.recv = {count};
      if (c == "Scatter" && root) l.send = {count};
      if (c == "Scatterv") l.recv = {table[0][me]};
      if (c == "Scatterv" && root) l.send = table[0];
      if (c == "Allgather" || c == "Alltoall") l.send = l.recv = {count};
      if (c == "Allgatherv") {
        l.send = {table[me][0]};
        l.recv = column(0);
      }
      if (c == "Alltoallv") {
        l.send = table[me];
        l.recv = column(i);
        l.in_place = in_place_table;
      }
      if (c == "Allgather" || c == "Allreduce" || c == "Alltoall" || c == "Allgatherv")
        l.in_place = in_place_table;
      if (c == "Scan" || c == "Exscan" || c == "Reduce_scatter") l.in_place = pick(2) == 0;
      if (root && c != "Bcast") l.in_place = in_place_table;
      r.of.push_back(l);
    }
    rounds_.push_back(std::move(r));
  }

  static std::string counts(const std::vector<int>& list, bool array) {
    if (!array) return std::to_string(list[0]);
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i)
      text += (i > 0 ? "," : "") + std::to_string(list[i]);
    return text + "]";
  }

  static std::string line(int rank, const Line& l, int request) {
    std::string name = l.call;
    if (l.form == "I") {
      name[0] = static_cast<char>(name[0] - 'A' + 'a');
      name = "I" + name;
    } else {
      name += l.form;
    }
    std::string text = std::to_string(rank) + " " + name + " comm=" + l.comm;
    if (has_root(l.call)) text += " root=" + std::to_string(std::max(l.root, 0));
    const std::string& c = l.call;
    const bool v = c.back() == 'v';
    const bool sends_array = (v && c != "Gatherv" && c != "Allgatherv"),
               receives_array = v && c != "Scatterv";
    if (c == "Bcast") {
      text += " count=" + counts(l.send.empty() ? std::vector<int>{1} : l.send, false) +
              " datatype=INT";
    } else if (reduces(c)) {
      text += std::string(c == "Reduce_scatter"         ? " recvcounts="
                          : c == "Reduce_scatter_block" ? " recvcount="
                                                        : " count=") +
              counts(l.send, c == "Reduce_scatter") + " datatype=INT op=" + l.op;
      if (l.in_place) text += " sendbuf=IN_PLACE";
    } else if (c != "Barrier") {
      const bool scatters = c.find("Scatter") == 0;
      if (l.in_place) text += scatters ? " recvbuf=IN_PLACE" : " sendbuf=IN_PLACE";
      if (!l.send.empty() && !(l.in_place && !scatters))
        text += std::string(sends_array ? " sendcounts=" : " sendcount=") +
                counts(l.send, sends_array) + " sendtype=INT";
      if (!l.recv.empty() && !(l.in_place && scatters))
        text += std::string(receives_array ? " recvcounts=" : " recvcount=") +
                counts(l.recv, receives_array) + " recvtype=INT";
    }
    if (!l.form.empty()) text += " request=r" + std::to_string(request);
    return text + " @a.c:" + std::to_string(request) + "\n";
  }

  std::mt19937 random_;
  int size_ = 0;
  std::vector<Comm> comms_;
  std::vector<std::vector<std::string>> start_;
  std::vector<Round> rounds_;
};

TEST(CollectiveRandom, programs_that_agree_are_silent) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Programs p(seed);
    p.check();
    const std::string text = in_order(p.text(), static_cast<int>(seed % 6));
    ASSERT_EQ(run<Collective>(text), "") << "seed " << seed << "\n" << text;
  }
}

TEST(CollectiveRandom, one_disagreement_is_found) {
  int planted = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Programs p(seed);
    const std::string rule = p.plant();
    if (rule.empty()) continue;
    ++planted;
    const std::string text = in_order(p.text(), static_cast<int>(seed % 6));
    const std::string found = run<Collective>(text);
    ASSERT_EQ(found.substr(0, found.find(' ')), rule) << "seed " << seed << "\n" << found << text;
    ASSERT_EQ(found.find('\n'), found.size() - 1) << "seed " << seed << "\n" << found << text;
  }
  EXPECT_GT(planted, 500);
}

}  // namespace
}  // namespace vouch
