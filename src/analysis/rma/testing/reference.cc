#include "analysis/rma/testing/reference.h"

#include <algorithm>
#include <map>

#include "analysis/rma/testing/accesses.h"

namespace vouch::rma_programs {
namespace {

class Judge {
 public:
  explicit Judge(const Program& program)
      : program_(program), order_(program), possible_(program), all_(accesses(program, order_)) {
    for (const LockEpoch& e : lock_epochs(program, order_)) epochs_[e.lock] = e;
  }

  Judged judge() {
    std::vector<std::pair<std::size_t, std::size_t>> unordered;
    Judged judged;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      for (std::size_t k = i + 1; k < all_.size(); ++k) {
        if (!conflict(all_[i], all_[k])) continue;
        if (apart(all_[i].locks, all_[k].locks))
          ++judged.by_locks;
        else if (before(all_[i], all_[k]) || before(all_[k], all_[i]))
          ++judged.by_order;
        else
          unordered.emplace_back(i, k);
      }
    }
    through_memory();
    for (const auto& [i, k] : unordered) {
      if (maybe_before(all_[i], all_[k]) || maybe_before(all_[k], all_[i])) {
        ++judged.by_memory;
        continue;
      }
      const std::string &s = site(all_[i]), &t = site(all_[k]);
      judged.races.insert({std::min(s, t), std::max(s, t)});
    }
    return judged;
  }

 private:
  // A point at which a process may see, or lets others see, what is in memory.
  struct Look {
    int point = 0;
    std::size_t call = 0;
    int window = -1, owner = 0;
    Bytes bytes;
    std::vector<std::size_t> locks;
    bool atomic = false;        // an update
    bool all = false;           // loads or stores that are not seen: may be any
    std::vector<int> starts{};  // of an operation: what lies before it takes effect
  };

  const Call& call(std::size_t i) const { return program_.calls[i]; }
  const std::string& site(const Access& a) const { return call(a.call).site; }
  Basic basic(std::size_t i) const { return types()[static_cast<std::size_t>(call(i).type)].basic; }

  // MPI-4.1 12.7.1: updates of one basic type may be concurrent if they combine alike. Those of one
  // origin are ordered (12.7.2). All this within one window (12.2.1).
  bool updates_together(std::size_t i, std::size_t k) const {
    const Call &a = call(i), &b = call(k);
    if (a.window != b.window || basic(i) != basic(k)) return false;
    const auto free = [](const Call& c) {
      return c.op == Op::no_op || c.what == What::compare_and_swap;
    };
    const bool swaps = a.what == What::compare_and_swap || b.what == What::compare_and_swap;
    return a.rank == b.rank || free(a) || free(b) || (!swaps && a.op == b.op);
  }
  bool conflict(const Access& a, const Access& b) const {
    if (a.call == b.call || a.owner != b.owner || !(a.bytes & b.bytes).any()) return false;
    if (!a.writes(program_) && !b.writes(program_)) return false;
    const bool same = call(a.call).rank == call(b.call).rank;
    if (same && ((a.of_message && b.of_message) || (a.of_program && b.of_program))) return false;
    if (a.kind == Kind::update && b.kind == Kind::update) return !updates_together(a.call, b.call);
    return true;
  }
  // Lock epochs that exclude each other.
  bool apart(const std::vector<std::size_t>& some, const std::vector<std::size_t>& others) const {
    for (const std::size_t i : some) {
      for (const std::size_t k : others) {
        const LockEpoch &a = epochs_.at(i), &b = epochs_.at(k);
        if (i != k && a.window == b.window && (a.exclusive || b.exclusive)) return true;
      }
    }
    return false;
  }
  bool before(const Access& a, const Access& b) const {
    const auto over = [&](int end) {
      return end >= 0 && std::any_of(b.starts.begin(), b.starts.end(),
                                     [&](int start) { return order_.reaches(end, start); });
    };
    return over(a.end) || over(a.waited);
  }
  // The same with order through memory. A chain that comes to a point which surely lies before its
  // own beginning cannot be.
  bool maybe_before(const Access& a, const Access& b) const {
    const auto over = [&](int end) {
      return end >= 0 && std::any_of(b.starts.begin(), b.starts.end(), [&](int start) {
               return possible_.reaches_forwards(end, start, order_);
             });
    };
    return over(a.end) || over(a.waited);
  }

  // ---- Order that is possible through memory ----
  void through_memory() {
    const std::vector<Look> writes = writers(), reads = readers();
    std::vector<std::pair<int, int>> edges;
    for (const Look& w : writes) {
      for (const Look& r : reads) {
        if (call(w.call).rank == call(r.call).rank) continue;
        if (w.owner != r.owner || w.window != r.window || !(w.bytes & r.bytes).any()) continue;
        for (const int from : published(w, r)) {
          if (order_.reaches(r.point, from)) continue;
          const bool too_late =
              from == w.point && std::any_of(w.starts.begin(), w.starts.end(), [&](int start) {
                return order_.reaches(r.point, start);
              });
          if (!too_late) edges.emplace_back(from, r.point);
        }
      }
    }
    through_locks(edges);
    for (const auto& [from, to] : edges) possible_.add(from, to);
  }
  // Who has completed something under a lock has held it, and comes before or after the others
  // whom it excludes. What it completes next shows nothing new.
  void through_locks(std::vector<std::pair<int, int>>& edges) const {
    struct Held {
      int point;
      std::size_t lock;
      int target;
    };
    std::map<std::pair<std::size_t, int>, int> first;  // by lock and target
    const auto holds = [&](std::size_t lock, int target, int point) {
      const auto [at, is_new] = first.emplace(std::pair{lock, target}, point);
      if (!is_new) at->second = std::min(at->second, point);
    };
    for (const Access& a : all_) {
      if (!a.at_target) continue;
      const int point = fetches(call(a.call).what) ? a.local_end : a.end;
      for (const std::size_t lock : a.locks) holds(lock, a.owner, point);
    }
    for (const Look& own : readers()) {
      if (!own.all) continue;
      for (const std::size_t lock : own.locks) holds(lock, own.owner, own.point);
    }
    std::vector<Held> held;
    for (const auto& [at, point] : first) held.push_back({point, at.first, at.second});
    for (const auto& [lock, e] : epochs_) {
      if (e.unlock == program_.calls.size()) continue;
      const int from = order_.leave(e.unlock);
      for (const Held& h : held) {
        const bool others = e.by != epochs_.at(h.lock).by && e.covers(e.window, h.target);
        if (others && apart({lock}, {h.lock}) && !order_.reaches(h.point, from))
          edges.emplace_back(from, h.point);
      }
    }
  }
  // From where on r may have seen w.
  std::vector<int> published(const Look& w, const Look& r) const {
    std::vector<int> points;
    const bool together = r.all || (r.atomic && updates_together(w.call, r.call));
    if (w.atomic && together) points.push_back(w.point);
    // MPI-4.1 12.7: a process may poll by loads for what is put there.
    const bool polled = r.all && call(r.call).what == What::sync;
    if (call(w.call).what == What::put && flag(w.bytes) && polled) points.push_back(w.point);
    return points;
  }

  // Few bytes, close together.
  static bool flag(const Bytes& bytes) {
    std::size_t first = 0, last = bytes.size();
    while (first < last && !bytes[first]) ++first;
    while (last > first && !bytes[last - 1]) --last;
    return last - first <= 8;
  }

  std::vector<Look> writers() const {
    std::vector<Look> found;
    for (const Access& a : all_) {
      if (!a.at_target || !a.writes(program_)) continue;
      found.push_back({order_.enter(a.call), a.call, call(a.call).window, a.owner, a.bytes, a.locks,
                       a.kind == Kind::update, false, a.starts});
    }
    // What the owner stores while it holds a lock on itself.
    for (const auto& [lock, e] : epochs_) {
      if (e.unlock < program_.calls.size() && (e.target == e.by || e.target < 0))
        found.push_back({order_.leave(e.unlock),
                         e.unlock,
                         e.window,
                         e.by,
                         program_.memory(e.window, e.by),
                         {lock},
                         false,
                         true});
    }
    return found;
  }
  std::vector<Look> readers() const {
    std::vector<Look> found;
    for (const Access& a : all_) {
      if (!a.at_target || !fetches(call(a.call).what) || a.local_end < 0) continue;
      found.push_back({a.local_end, a.call, call(a.call).window, a.owner, a.bytes, a.locks,
                       a.kind == Kind::update, false});
    }
    for (std::size_t i = 0; i < program_.calls.size(); ++i) {
      if (!lets_owner_load(call(i))) continue;
      const int me = call(i).rank;
      std::vector<std::size_t> locks;
      for (const auto& [lock, e] : epochs_) {
        if (e.by == me && (e.target == me || e.target < 0) && e.lock <= i && i <= e.unlock)
          locks.push_back(lock);
      }
      found.push_back({order_.leave(i), i, call(i).window, me, program_.memory(call(i).window, me),
                       locks, false, true});
    }
    return found;
  }
  static bool lets_owner_load(const Call& c) {
    switch (c.what) {
      case What::sync:
      case What::lock_all:
      case What::unlock_all:
      case What::flush_all:
        return true;
      case What::lock:
      case What::unlock:
      case What::flush:
        return c.target == c.rank;
      default:
        return false;
    }
  }

  const Program& program_;
  Order order_, possible_;
  std::vector<Access> all_;
  std::map<std::size_t, LockEpoch> epochs_;  // by the call that opens it
};

}  // namespace

Judged judge(const Program& program) { return Judge(program).judge(); }
std::set<Pair> races(const Program& program) { return judge(program).races; }

std::string print(const std::set<Pair>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs) text += a + " " + b + "\n";
  return text;
}

}  // namespace vouch::rma_programs
