// Random small programs against a naive MPI that tries every schedule.
//
// One schedule is taken at random and its trace is judged. A wildcard may be told as a race iff the
// naive MPI knows a schedule that decides all other wildcards as this one did up to the point where
// it decides this one otherwise; a ready send iff some schedule with the same decisions reaches it
// before its receive is posted.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "analysis/race/race.h"
#include "analysis/testing/run_text.h"
#include "analysis/unmatched/unmatched.h"

namespace vouch {
namespace {

constexpr int kAny = -1;

struct Op {
  enum class What {
    send,
    ssend,
    rsend,
    recv,
    irecv,
    wait,
    probe,
    barrier,
    bcast,
    reduce,
    allgather
  } what;
  int peer = 0, tag = 0;
  int of = 0;  // wait: the op that made the request; a collective: who gives data, as bits
  bool gives(std::size_t rank) const { return (of >> rank & 1) != 0; }
  bool collective() const { return what >= What::barrier; }
  bool receives() const { return what == What::recv || what == What::irecv; }
};
using Program = std::vector<std::vector<Op>>;
using Id = std::pair<int, int>;  // rank, op

struct State {
  struct Posted {
    Id id;
    bool matched;
  };
  std::vector<int> at;
  std::vector<bool> inside;
  std::vector<std::vector<Posted>> posted;
  std::vector<std::vector<std::vector<Id>>> sent;  // by source, destination: not taken yet
  std::map<Id, Id> met;                            // receive or probe -> send
  std::set<Id> taken;                              // sends

  std::string key() const {
    std::string k;
    const auto add = [&](int v) { k += static_cast<char>(v + 2); };
    const auto list = [&](const std::vector<Id>& ids) {
      for (const Id& id : ids) add(id.first), add(id.second);
      add(-2);
    };
    for (std::size_t r = 0; r < at.size(); ++r) {
      add(at[r] * 2 + inside[r]);
      for (const auto& t : sent[r]) list(t);
    }
    for (const auto& [recv, send] : met) list({recv, send});
    return k;
  }
};

class NaiveMpi {
 public:
  explicit NaiveMpi(const Program& program) : program_(program), n_(program.size()) {}

  State start() const {
    State s;
    s.at.assign(n_, 0);
    s.inside.assign(n_, false);
    s.posted.resize(n_);
    s.sent.assign(n_, std::vector<std::vector<Id>>(n_));
    return s;
  }
  const Op& op(Id id) const {
    return program_[static_cast<std::size_t>(id.first)][static_cast<std::size_t>(id.second)];
  }
  bool fits(const Op& recv, Id send) const {
    return (recv.peer == kAny || recv.peer == send.first) &&
           (recv.tag == kAny || recv.tag == op(send).tag);
  }
  bool done(const State& s) const {
    for (std::size_t r = 0; r < n_; ++r) {
      if (static_cast<std::size_t>(s.at[r]) < program_[r].size()) return false;
    }
    return true;
  }

  // All states one action away. A decision is in State::met.
  std::vector<State> next(const State& s) const {
    std::vector<State> all;
    for (std::size_t r = 0; r < n_; ++r) {
      step(s, r, all);
      for (std::size_t i = 0; i < s.posted[r].size(); ++i) {
        if (s.posted[r][i].matched) continue;
        for (const Id& message : candidates(s, s.posted[r][i].id, i)) {
          State t = s;
          t.posted[r][i].matched = true;
          t.met[t.posted[r][i].id] = message;
          t.taken.insert(message);
          std::erase(t.sent[static_cast<std::size_t>(message.first)][r], message);
          all.push_back(std::move(t));
        }
      }
    }
    return all;
  }

 private:
  // What a receive may take, or a probe see: of each source the first message that fits, unless a
  // receive posted before it (there are `before`) is to have that. Nothing else is promised, not
  // even after a probe, and messages with other tags may come sooner (MPI-4.1 3.5, 3.8.1).
  std::vector<Id> candidates(const State& s, Id id, std::size_t before) const {
    std::vector<Id> all;
    const auto r = static_cast<std::size_t>(id.first);
    for (std::size_t source = 0; source < n_; ++source) {
      const std::vector<Id>& here = s.sent[source][r];
      const auto first =
          std::find_if(here.begin(), here.end(), [&](Id m) { return fits(op(id), m); });
      if (first == here.end()) continue;
      const auto end = s.posted[r].begin() + static_cast<std::ptrdiff_t>(before);
      const bool others = std::any_of(s.posted[r].begin(), end, [&](const State::Posted& p) {
        return !p.matched && fits(op(p.id), *first);
      });
      if (!others) all.push_back(*first);
    }
    return all;
  }
  int collectives(std::size_t r, int before) const {
    int k = 0;
    for (int i = 0; i < before; ++i) k += program_[r][static_cast<std::size_t>(i)].collective();
    return k;
  }
  bool has_come(const State& s, std::size_t r, int k) const {
    const auto at = static_cast<std::size_t>(s.at[r]);
    const int before = collectives(r, s.at[r]);
    return before > k ||
           (before == k && at < program_[r].size() && s.inside[r] && program_[r][at].collective());
  }
  void step(const State& s, std::size_t r, std::vector<State>& all) const {
    if (static_cast<std::size_t>(s.at[r]) >= program_[r].size()) return;
    const Id id{static_cast<int>(r), s.at[r]};
    const Op& o = op(id);
    State t = s;
    const auto go_on = [&] {
      t.inside[r] = false;
      ++t.at[r];
      all.push_back(std::move(t));
    };
    switch (o.what) {
      case Op::What::send:
      case Op::What::rsend:
        t.sent[r][static_cast<std::size_t>(o.peer)].push_back(id);
        return go_on();
      case Op::What::ssend:
        if (!s.inside[r]) {
          t.sent[r][static_cast<std::size_t>(o.peer)].push_back(id);
          t.inside[r] = true;
          all.push_back(std::move(t));
        } else if (s.taken.count(id) != 0) {
          go_on();
        }
        return;
      case Op::What::recv:
        if (!s.inside[r]) {
          t.posted[r].push_back({id, false});
          t.inside[r] = true;
          all.push_back(std::move(t));
        } else if (s.met.count(id) != 0) {
          go_on();
        }
        return;
      case Op::What::irecv:
        t.posted[r].push_back({id, false});
        return go_on();
      case Op::What::wait:
        if (s.met.count({id.first, o.of}) != 0) go_on();
        return;
      case Op::What::probe:
        for (const Id& message : candidates(s, id, s.posted[r].size())) {
          State p = s;
          p.met[id] = message;
          ++p.at[r];
          all.push_back(std::move(p));
        }
        return;
      case Op::What::barrier:
      case Op::What::bcast:
      case Op::What::reduce:
      case Op::What::allgather: {
        if (!s.inside[r]) {
          t.inside[r] = true;
          all.push_back(std::move(t));
          return;
        }
        const int k = collectives(r, s.at[r]);
        for (std::size_t q = 0; q < n_; ++q) {
          const bool needed =
              o.what == Op::What::barrier ||
              (o.gives(q) && ((o.what == Op::What::bcast && static_cast<int>(q) == o.peer) ||
                              (o.what == Op::What::reduce && id.first == o.peer) ||
                              o.what == Op::What::allgather));
          if (needed && !has_come(s, q, k)) return;
        }
        return go_on();
      }
    }
  }

  const Program& program_;
  std::size_t n_;
};

bool is_choice(const Op& o) {
  return (o.receives() || o.what == Op::What::probe) && o.peer == kAny;
}

class Judge {
 public:
  // `fixed`: all other choices stay as they were in the run. Otherwise any schedule counts.
  Judge(const Program& program, const State& run, bool fixed)
      : mpi_(program), program_(program), run_(run), fixed_(fixed) {}

  // Wildcards that could have been decided otherwise, and ready sends that may be too early.
  std::set<std::string> judge() {
    std::set<std::string> found;
    for (int r = 0; r < static_cast<int>(program_.size()); ++r) {
      for (int i = 0; i < static_cast<int>(program_[static_cast<std::size_t>(r)].size()); ++i) {
        if (is_choice(mpi_.op({r, i})) && other_choice({r, i})) found.insert(site({r, i}));
      }
    }
    early(found);
    return found;
  }
  static std::string site(Id id) {
    return "r" + std::to_string(id.first) + "o" + std::to_string(id.second);
  }

 private:
  // Every state that can be reached while `visit` says to go on.
  void explore(const std::function<bool(const State&)>& visit) {
    std::set<std::string> seen;
    std::vector<State> stack{mpi_.start()};
    while (!stack.empty()) {
      const State s = std::move(stack.back());
      stack.pop_back();
      if (!seen.insert(s.key()).second || !visit(s)) continue;
      for (State& t : mpi_.next(s)) stack.push_back(std::move(t));
    }
  }
  bool as_in_run(const State& s, Id but) const {
    if (!fixed_) return true;
    for (const auto& [id, send] : s.met) {
      if (id == but || !is_choice(mpi_.op(id))) continue;
      if (run_.met.at(id).first != send.first) return false;
    }
    return true;
  }
  bool other_choice(Id choice) {
    bool other = false;
    explore([&](const State& s) {
      if (other || !as_in_run(s, choice)) return false;
      const auto decided = s.met.find(choice);
      if (decided == s.met.end()) return true;
      other = decided->second.first != run_.met.at(choice).first;
      return false;
    });
    return other;
  }
  void early(std::set<std::string>& found) {
    std::map<Id, Id> receive_of;
    for (const auto& [recv, send] : run_.met) {
      if (mpi_.op(send).what == Op::What::rsend && mpi_.op(recv).receives())
        receive_of[send] = recv;
    }
    if (receive_of.empty()) return;
    explore([&](const State& s) {
      if (!as_in_run(s, {-1, -1})) return false;
      for (const auto& [send, recv] : receive_of) {
        if (s.at[static_cast<std::size_t>(send.first)] != send.second) continue;
        const auto at = static_cast<std::size_t>(recv.first);
        const bool posted = s.at[at] > recv.second || (s.at[at] == recv.second && s.inside[at]);
        if (!posted) found.insert(site(send));
      }
      return true;
    });
  }

  NaiveMpi mpi_;
  const Program& program_;
  const State& run_;
  bool fixed_;
};

struct Shape {
  bool any_tag, synchronous;
};

Program random_program(std::mt19937& random, const Shape& shape) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int n = 3;
  Program program(n);
  for (int round = 0, rounds = 2 + pick(2); round < rounds; ++round) {
    if (round > 0 && pick(2) == 0) {
      const Op::What what = std::array{Op::What::barrier, Op::What::bcast, Op::What::reduce,
                                       Op::What::allgather}[pick(4)];
      const int root = pick(n);
      // Of a broadcast or reduction all give data, or nobody.
      const int some = what == Op::What::allgather ? pick(1 << n) : pick(3) == 0 ? 0 : (1 << n) - 1;
      for (auto& ops : program) ops.push_back({what, root, 0, some});
    }
    for (int r = 0; r < n; ++r) {
      auto& ops = program[static_cast<std::size_t>(r)];
      for (int k = pick(3); k > 0; --k) {
        const int peer = (r + 1 + pick(n - 1)) % n;
        const int tag = pick(4) == 0 ? 1 : 0;
        const int from = pick(3) == 0 ? peer : kAny;
        const int asked = shape.any_tag && pick(4) == 0 ? kAny : tag;
        switch (pick(8)) {
          case 0:
          case 1:
          case 2:
            ops.push_back({Op::What::send, peer, tag, 0});
            break;
          case 3:
            ops.push_back({shape.synchronous && pick(2) == 0 ? Op::What::ssend : Op::What::rsend,
                           peer, tag, 0});
            break;
          case 4:
          case 5:
            ops.push_back({Op::What::recv, from, asked, 0});
            break;
          case 6:
            ops.push_back({Op::What::irecv, from, asked, 0});
            break;
          default:
            ops.push_back({Op::What::probe, from, asked, 0});
            break;
        }
      }
    }
  }
  for (auto& ops : program) {  // waits, somewhere after
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].what != Op::What::irecv) continue;
      const std::size_t at =
          i + 1 + static_cast<std::size_t>(pick(static_cast<int>(ops.size() - i)));
      const Op wait{Op::What::wait, 0, 0, static_cast<int>(i)};
      ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(at), wait);
      for (Op& o : ops) {
        if (o.what == Op::What::wait && o.of >= static_cast<int>(at)) ++o.of;
      }
    }
  }
  return program;
}

// The calls of the run, the ranks in any order.
std::string text_of(const Program& program, const State& run, std::mt19937& random) {
  const auto line = [&](Id id) {
    const Op& o = program[static_cast<std::size_t>(id.first)][static_cast<std::size_t>(id.second)];
    const auto envelope = [&](const char* peer) {
      return std::string(peer) + (o.peer == kAny ? "ANY_SOURCE" : std::to_string(o.peer)) +
             " tag=" + (o.tag == kAny ? "ANY_TAG" : std::to_string(o.tag));
    };
    const auto status = [&](Id recv) {
      const Id send = run.met.at(recv);
      const int tag =
          program[static_cast<std::size_t>(send.first)][static_cast<std::size_t>(send.second)].tag;
      return " -> status=(" + std::to_string(send.first) + "," + std::to_string(tag) + ",4)\n";
    };
    const std::string at = " @" + Judge::site(id);
    const std::string rank = std::to_string(id.first) + " ";
    const std::string count = o.of == 0 ? " count=0" : "";
    switch (o.what) {
      case Op::What::send:
        return rank + "Send " + envelope("dest=") + at + "\n";
      case Op::What::ssend:
        return rank + "Ssend " + envelope("dest=") + at + "\n";
      case Op::What::rsend:
        return rank + "Rsend " + envelope("dest=") + at + "\n";
      case Op::What::recv:
        return rank + "Recv " + envelope("source=") + at + status(id);
      case Op::What::irecv:
        return rank + "Irecv " + envelope("source=") + " request=q" + std::to_string(id.second) +
               at + "\n";
      case Op::What::wait:
        return rank + "Wait request=q" + std::to_string(o.of) + at + status({id.first, o.of});
      case Op::What::probe:
        return rank + "Probe " + envelope("source=") + at + status(id);
      case Op::What::barrier:
        return rank + "Barrier" + at + "\n";
      case Op::What::bcast:
        return rank + "Bcast root=" + std::to_string(o.peer) + count + at + "\n";
      case Op::What::reduce:
        return rank + "Reduce root=" + std::to_string(o.peer) + count + at + "\n";
      case Op::What::allgather: {
        std::string counts;
        for (std::size_t q = 0; q < program.size(); ++q)
          counts += (q > 0 ? "," : "") + std::to_string(o.gives(q) ? 1 : 0);
        return rank +
               "Allgatherv sendcount=" + (o.gives(static_cast<std::size_t>(id.first)) ? "1" : "0") +
               " recvcounts=[" + counts + "]" + at + "\n";
      }
    }
    return std::string();
  };
  std::string text;
  std::vector<std::size_t> at(program.size());
  for (std::size_t left = program.size(); left > 0;) {
    const std::size_t r = random() % program.size();
    if (at[r] > program[r].size()) continue;
    // A few at once: one rank may be read far ahead of the others.
    for (unsigned k = random() % 4 + 1; k > 0 && at[r] <= program[r].size(); --k, ++at[r]) {
      if (at[r] < program[r].size()) {
        text += line({static_cast<int>(r), static_cast<int>(at[r])});
      } else {
        text += std::to_string(r) + " Finalize\n";
        --left;
      }
    }
  }
  return text;
}

std::set<std::string> told(const std::string& text) {
  std::set<std::string> sites;
  const std::string all = run<Unmatched, MessageRace>(text);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("race/") || line.starts_with("unmatched/ready"))
      sites.insert(line.substr(line.find('@') + 1));
  }
  return sites;
}

void compare(const Shape& shape, bool exact, int programs, unsigned first) {
  int judged = 0, fired = 0;
  for (unsigned seed = first; judged < programs; ++seed) {
    std::mt19937 random(seed);
    const Program program = random_program(random, shape);
    const NaiveMpi mpi(program);
    State s = mpi.start();
    while (!mpi.done(s)) {
      std::vector<State> next = mpi.next(s);
      if (next.empty()) break;
      s = std::move(next[random() % next.size()]);
    }
    if (!mpi.done(s) || s.met.empty()) continue;
    ++judged;
    const std::set<std::string> expected = Judge(program, s, exact).judge();
    fired += !expected.empty();
    const std::string text = text_of(program, s, random);
    const std::set<std::string> found = told(text);
    for (const std::string& site : found)
      ASSERT_TRUE(expected.count(site)) << "wrong: " << site << ", seed " << seed << "\n" << text;
    if (!exact) continue;
    ASSERT_EQ(found, expected) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(fired, programs / 10);
}

int programs() { return std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 20000 : 150; }

TEST(RaceRandom, exactly_what_another_schedule_can_do) {
  compare({.any_tag = false, .synchronous = false}, true, programs(), 1);
}

// With any tag among pending wildcards, and with synchronous sends, some order is taken for surer
// than it is, and what is found may need that another choice falls otherwise, too.
TEST(RaceRandom, nothing_that_no_schedule_can_do) {
  compare({.any_tag = true, .synchronous = true}, false, programs(), 1000000);
}

}  // namespace
}  // namespace vouch
