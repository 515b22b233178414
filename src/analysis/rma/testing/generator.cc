#include "analysis/rma/testing/generator.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/rma/testing/epoch_state.h"

namespace vouch::rma_programs {
namespace {

class Generator {
 public:
  Generator(std::mt19937& random, const Shape& shape) : random_(random), shape_(shape) {
    program_.ranks = shape.ranks;
  }

  Program make() {
    const auto n = static_cast<std::size_t>(shape_.ranks);
    cells_ = std::array{2, 3, 6, 12}[static_cast<std::size_t>(below(4))];
    fresh_.assign(n, 0);
    requests_.resize(n);
    for (int w = 0, count = chance(35) ? 2 : 1; w < count; ++w) create(w);
    habit_ = static_cast<Habit>(below(3));
    if (habit_ == Habit::polling && state(0).mode == Mode::lock) {
      for (int r = 0; r < shape_.ranks; ++r) lock_all(0, r);
    }
    for (int i = 0; i < shape_.steps; ++i) step();
    finish();
    return std::move(program_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }
  int any_rank() { return below(shape_.ranks); }
  int other_rank(int than) { return (than + 1 + below(shape_.ranks - 1)) % shape_.ranks; }
  int any_window() { return below(static_cast<int>(windows_.size())); }
  WindowState& state(int w) { return windows_[static_cast<std::size_t>(w)]; }
  std::vector<Request>& requests(int rank) { return requests_[static_cast<std::size_t>(rank)]; }

  void add(Call c) {
    const int number = shape_.repeated ? below(2) : static_cast<int>(program_.calls.size());
    c.site = "r" + std::to_string(c.rank) + (shape_.repeated ? "p" : "n");
    if (shape_.repeated) c.site += std::to_string(static_cast<int>(c.what)) + "k";
    c.site += std::to_string(number);
    program_.calls.push_back(std::move(c));
  }
  void all(Call c) {
    c.meeting = ++meetings_;
    for (c.rank = 0; c.rank < shape_.ranks; ++c.rank) add(c);
  }

  // ---- Windows ----
  void create(int w) {
    Window window;
    const int kind = w == 0 ? below(8) : below(3);
    window.flavour = kind == 1   ? Window::Flavour::dynamic
                     : kind == 2 ? Window::Flavour::allocate
                                 : Window::Flavour::create;
    const int units[] = {1, 2, 4};
    for (int r = 0; r < shape_.ranks; ++r) {
      const bool shifted = chance(20);
      window.base.push_back(window.flavour == Window::Flavour::allocate ? kArray : shifted ? 8 : 0);
      window.size.push_back(shifted ? kArray - 8 : kArray);
      window.unit.push_back(window.flavour == Window::Flavour::dynamic ? 1 : units[below(3)]);
    }
    program_.windows.push_back(window);
    windows_.emplace_back(shape_.ranks);
    new_mode(w);
    all({.what = What::create, .window = w});
  }
  void new_mode(int w) {
    state(w).mode = std::array{Mode::lock, Mode::lock, Mode::fence,
                               Mode::exposure}[static_cast<std::size_t>(below(4))];
    state(w).exclusives = chance(65);
  }

  // ---- What may be done ----
  // The rank may wait for others here.
  bool may_wait(int rank) const {
    if (!shape_.runnable) return true;
    return std::none_of(windows_.begin(), windows_.end(),
                        [&](const WindowState& w) { return w.exclusives && w.holds_any(rank); });
  }
  bool all_may_wait() const {
    for (int r = 0; r < shape_.ranks; ++r) {
      if (!may_wait(r)) return false;
    }
    return true;
  }

  void step() {
    const int what = below(100);
    const int rank = any_rank();
    if (what < 20) {
      if (habit_ == Habit::polling) return notify();
      if (habit_ == Habit::sections) return critical(any_window(), rank);
    }
    if (what < 45) return operation(rank);
    if (what < 65) return epoch(any_window(), rank);
    if (what < 75) return completion(rank);
    if (what < 83) return message();
    if (what < 86) return collective();
    if (what < 89) {
      if (all_may_wait()) all({.what = What::barrier});
      return;
    }
    if (what < 95) return habit_ == Habit::polling ? notify() : critical(any_window(), rank);
    if (what < 98) return wait_some(rank);
    change_mode(any_window());
  }

  void epoch(int w, int rank) {
    switch (state(w).mode) {
      case Mode::fence:
        if (all_may_wait()) fence(w, false);
        return;
      case Mode::exposure:
        return session(w);
      case Mode::lock:
        return lock_or_unlock(w, rank);
    }
  }
  void fence(int w, bool last) {
    WindowState& s = state(w);
    const bool opens = !s.moved && chance(40);
    s.moved = false;
    all({.what = What::fence, .window = w, .opens = opens, .closes = last && chance(60)});
    s.open = !last;
  }

  void lock_or_unlock(int w, int rank) {
    WindowState& s = state(w);
    if (s.holds_any(rank) && chance(50)) return unlock(w, rank);
    if (!may_wait(rank)) return;
    if (!s.holds_any(rank) && chance(35)) return lock_all(w, rank);
    lock(w, rank, any_rank());
  }
  void lock_all(int w, int rank) {
    WindowState& s = state(w);
    for (int t = 0; t < shape_.ranks; ++t) {
      if (!s.may_lock(rank, t, false)) return;
    }
    s.all[static_cast<std::size_t>(rank)] = true;
    add({.what = What::lock_all, .rank = rank, .window = w});
  }
  void lock(int w, int rank, int target) {
    WindowState& s = state(w);
    const bool exclusive = s.exclusives && chance(60);
    if (s.holds(rank, target) || s.all[static_cast<std::size_t>(rank)] ||
        !s.may_lock(rank, target, exclusive))
      return;
    s.held[{rank, target}] = exclusive;
    add({.what = What::lock, .rank = rank, .window = w, .target = target, .exclusive = exclusive});
  }
  // A lock, some operations, and unlock.
  void critical(int w, int rank) {
    if (state(w).mode != Mode::lock || state(w).holds_any(rank) || !may_wait(rank)) return;
    const int target = any_rank();
    lock(w, rank, target);
    if (!state(w).holds(rank, target)) return;
    for (int i = 1 + below(3); i > 0; --i) {
      const What what = std::array{What::put, What::get, What::fetch_and_op,
                                   What::accumulate}[static_cast<std::size_t>(below(4))];
      operation(rank, {w, target}, what, chance(50));
    }
    unlock(w, rank);
  }
  void unlock(int w, int rank) {
    WindowState& s = state(w);
    if (s.all[static_cast<std::size_t>(rank)]) {
      s.all[static_cast<std::size_t>(rank)] = false;
      return add({.what = What::unlock_all, .rank = rank, .window = w});
    }
    const std::vector<int> targets = s.held_by(rank);
    if (targets.empty()) return;
    const int target = any(targets);
    s.held.erase({rank, target});
    add({.what = What::unlock, .rank = rank, .window = w, .target = target});
  }

  // ---- Post, start, complete, wait ----
  void session(int w) {
    WindowState& s = state(w);
    if (!s.sessions.empty() && chance(75))
      return advance(w, below(static_cast<int>(s.sessions.size())));
    Session made;
    made.meeting = ++meetings_;
    for (int r = 0; r < shape_.ranks; ++r) {
      if (!s.accessing(r) && chance(45)) made.origins[r] = Stage::idle;
      if (!s.exposed(r) && chance(45)) made.targets[r] = Stage::idle;
    }
    if (!made.origins.empty() && !made.targets.empty()) s.sessions.push_back(made);
  }
  static std::vector<int> ranks_of(const std::map<int, Stage>& of) {
    std::vector<int> ranks;
    for (const auto& [rank, stage] : of) ranks.push_back(rank);
    return ranks;
  }
  void advance(int w, int which) {
    Session& s = state(w).sessions[static_cast<std::size_t>(which)];
    std::vector<Call> can;
    for (auto& [r, stage] : s.targets) {
      if (stage == Stage::idle)
        can.push_back({.what = What::post, .rank = r, .group = ranks_of(s.origins)});
      if (stage == Stage::open && s.all(s.origins, Stage::over))
        can.push_back(
            {.what = chance(20) && !shape_.runnable ? What::test : What::wait, .rank = r});
    }
    for (auto& [r, stage] : s.origins) {
      const bool posted = !s.any(s.targets, Stage::idle);
      if (stage == Stage::idle && (posted || !shape_.runnable))
        can.push_back({.what = What::start, .rank = r, .group = ranks_of(s.targets)});
      if (stage == Stage::open && posted) can.push_back({.what = What::complete, .rank = r});
    }
    std::erase_if(can, [&](const Call& c) { return !may_wait(c.rank); });
    if (!can.empty()) {
      Call c = any(can);
      c.window = w;
      c.meeting = s.meeting;
      auto& side = c.what == What::start || c.what == What::complete ? s.origins : s.targets;
      side[c.rank] = c.what == What::post || c.what == What::start ? Stage::open : Stage::over;
      add(c);
    }
    if (s.all(s.targets, Stage::over)) state(w).sessions.erase(state(w).sessions.begin() + which);
  }

  void change_mode(int w) {
    if (!all_may_wait()) return;
    close(w);
    all({.what = What::barrier});
    new_mode(w);
  }
  void close(int w) {
    WindowState& s = state(w);
    for (int r = 0; r < shape_.ranks; ++r) {
      while (s.holds_any(r)) unlock(w, r);
    }
    while (!s.sessions.empty()) advance(w, 0);
    if (s.mode == Mode::fence && (s.moved || chance(50))) fence(w, true);
    s.open = false;
  }
  void finish() {
    for (int w = 0; w < static_cast<int>(windows_.size()); ++w) {
      // Locks of other windows first: then all may wait.
      for (int r = 0; r < shape_.ranks; ++r) {
        while (state(w).holds_any(r)) unlock(w, r);
      }
    }
    for (int r = 0; r < shape_.ranks; ++r) {
      while (!undelivered_.empty()) deliver();
      while (!requests(r).empty()) wait_some(r);
    }
    const bool frees = shape_.runnable || chance(50);
    for (int w = 0; w < static_cast<int>(windows_.size()); ++w) {
      close(w);
      if (frees) all({.what = What::free, .window = w});
    }
  }

  // ---- Operations ----
  struct Reach {
    int window, target;
  };
  std::vector<Reach> reach(int rank) {
    std::vector<Reach> can;
    for (int w = 0; w < static_cast<int>(windows_.size()); ++w) {
      for (int t = 0; t < shape_.ranks; ++t) {
        if (state(w).may_access(rank, t)) can.push_back({w, t});
      }
    }
    return can;
  }
  void operation(int rank) {
    const std::vector<Reach> can = reach(rank);
    if (can.empty()) {
      if (opening_) return;
      opening_ = true;
      epoch(any_window(), rank);
      operation(rank);
      opening_ = false;
      return;
    }
    const What whats[] = {What::put,          What::put,
                          What::get,          What::get,
                          What::accumulate,   What::accumulate,
                          What::accumulate,   What::get_accumulate,
                          What::fetch_and_op, What::compare_and_swap};
    const What what = whats[below(10)];
    operation(rank, any(can), what, chance(is_update(what) ? 60 : 5));
  }
  Op any_op(bool fetches) {
    if (fetches && chance(40)) return Op::no_op;
    return std::array{Op::sum, Op::sum, Op::replace, Op::prod}[static_cast<std::size_t>(below(4))];
  }
  // `flag`: a cell that processes use to notify each other.
  void operation(int rank, Reach to, What what, bool flag) {
    Call c{.what = what, .rank = rank, .window = to.window, .target = to.target};
    const bool one = what == What::fetch_and_op || what == What::compare_and_swap;
    if (is_update(what))
      c.op = what == What::compare_and_swap ? Op::replace : any_op(fetches(what));
    if (flag || one) {
      const bool odd = chance(8);
      c.type = odd ? predefined(what == What::compare_and_swap ? Basic::short_ : Basic::float_) : 0;
    } else {
      c.type = chance(70) ? 0 : below(static_cast<int>(types().size()));
      c.count = chance(70) ? 1 : 1 + below(3);
    }
    place(c, flag);
    const Type& type = types()[static_cast<std::size_t>(c.type)];
    c.buffer_type = c.type;
    c.buffer_count = c.count;
    if (!one && chance(50)) {
      c.buffer_type = predefined(type.basic);
      c.buffer_count = c.count * static_cast<int>(type.offsets.size());
    }
    c.buffer = own_memory(rank, span_of(c.buffer_type, c.buffer_count));
    c.result = own_memory(rank, span_of(c.type, c.count));
    c.compare = own_memory(rank, 4);
    if (overlaps_itself(c)) {
      c.buffer = fresh(rank);
      c.result = fresh(rank);
      c.compare = fresh(rank);
    }
    if (!one && state(to.window).mode == Mode::lock && chance(20)) {
      c.request = ++last_request_;
      requests(rank).push_back({c.request, false});
    }
    state(to.window).moved = true;
    add(c);
  }
  // Where in the window of the target.
  void place(Call& c, bool flag) {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    const auto t = static_cast<std::size_t>(c.target);
    const Type& type = types()[static_cast<std::size_t>(c.type)];
    const int step = std::max(type.basic_size, w.unit[t]);
    const int last = (w.size[t] - span_of(c.type, c.count)) / step;
    int cell = flag ? (w.size[t] - 8) / step + below(2) : below(cells_ * 4 / step + 1);
    if (chance(8)) cell = below(last + 1);
    const int offset = std::min(cell, last) * step;
    c.disp = w.flavour == Window::Flavour::dynamic ? w.base[t] + offset : offset / w.unit[t];
  }
  bool overlaps_itself(const Call& c) const {
    const Bytes target = bytes_of(c.type, c.count, program_.target_offset(c));
    const Bytes origin = bytes_of(c.buffer_type, c.buffer_count, c.buffer);
    const Bytes result = bytes_of(c.type, c.count, c.result);
    const Bytes compare = bytes_of(c.type, 1, c.compare);
    const Bytes own = origin | result | compare;
    if ((origin & result).any() || (origin & compare).any() || (result & compare).any())
      return true;
    return c.rank == c.target && (own & target).any();
  }
  int fresh(int rank) {
    int& next = fresh_[static_cast<std::size_t>(rank)];
    // The longest takes 36 bytes.
    const int first = 704, size = 40, slots = (kMemory - first - 64) / size;
    return first + size * (next++ % slots);
  }
  // A buffer: mostly its own, now one that others use too, now in the array.
  int own_memory(int rank, int span) {
    if (chance(65)) return fresh(rank);
    if (chance(55)) return kPrivate + 8 * below(4);
    return 4 * below((kArray - span) / 4 + 1);
  }

  void completion(int rank) {
    std::vector<Reach> locked;
    for (const Reach& r : reach(rank)) {
      if (state(r.window).mode == Mode::lock) locked.push_back(r);
    }
    if (locked.empty() || chance(10)) {
      // MPICH 4.0.2 refuses MPI_Win_sync outside of a passive-target epoch.
      const int w = any_window();
      if (shape_.runnable && !state(w).holds_any(rank)) return;
      return add({.what = What::sync, .rank = rank, .window = w});
    }
    const Reach to = any(locked);
    const What whats[] = {What::flush, What::flush, What::flush_all, What::flush_local,
                          What::flush_local_all};
    const What what = whats[below(5)];
    const bool one = what == What::flush || what == What::flush_local;
    add({.what = what, .rank = rank, .window = to.window, .target = one ? to.target : -1});
  }

  // One writes data, completes them and sets a flag; another looks at the flag and goes on.
  void notify() {
    const int writer = any_rank(), reader = other_rank(writer);
    std::vector<Reach> of_writer = reach(writer), of_reader = reach(reader);
    const auto unlocked = [&](const Reach& r) { return state(r.window).mode != Mode::lock; };
    std::erase_if(of_writer, unlocked);
    std::erase_if(of_reader, unlocked);
    if (of_writer.empty() || of_reader.empty()) return;
    const Reach data = any(of_writer), flag = any(of_reader);
    operation(writer, data, What::put, false);
    add({.what = What::flush, .rank = writer, .window = data.window, .target = data.target});
    if (!state(flag.window).may_access(writer, flag.target)) return;
    operation(writer, flag, What::accumulate, true);
    operation(reader, flag, What::fetch_and_op, true);
    if (chance(70))
      add({.what = What::flush, .rank = reader, .window = flag.window, .target = flag.target});
    operation(reader, any(of_reader), chance(50) ? What::put : What::get, false);
  }

  // ---- Messages and collectives ----
  int message_memory(int rank, bool pending) {
    // Two pending buffers of a process must not overlap either, which is not asked here.
    if (shape_.runnable && pending) return fresh(rank);
    return chance(50) ? fresh(rank) : 4 * below(kArray / 4);
  }
  void message() {
    if (!undelivered_.empty() && chance(40)) return deliver();
    const int from = any_rank(), to = other_rank(from);
    const What what =
        std::array{What::send, What::ssend, What::isend}[static_cast<std::size_t>(below(3))];
    const bool later = what == What::isend && chance(40);
    if (what != What::isend && (!may_wait(from) || !may_wait(to))) return;
    Call c{.what = what, .rank = from, .target = to, .meeting = ++meetings_};
    c.buffer = message_memory(from, what == What::isend);
    if (what == What::isend) {
      c.request = ++last_request_;
      requests(from).push_back({c.request, true, c.meeting});
    }
    add(c);
    undelivered_.push_back({from, to, c.meeting});
    if (!later || !may_wait(to)) deliver();
  }
  // Posts the receive of a message.
  void deliver() {
    const Message m = undelivered_.back();
    undelivered_.pop_back();
    Call c{.what = chance(50) && may_wait(m.to) ? What::recv : What::irecv,
           .rank = m.to,
           .target = m.from,
           .meeting = m.meeting};
    c.buffer = message_memory(m.to, c.what == What::irecv);
    if (c.what == What::irecv) {
      c.request = ++last_request_;
      requests(m.to).push_back({c.request, true});
    }
    add(c);
  }
  void wait_some(int rank) {
    std::vector<Request>& pending = requests(rank);
    Call c{.what = What::wait_requests, .rank = rank};
    std::vector<Request> left;
    for (const Request& r : pending) {
      const bool undelivered =
          std::any_of(undelivered_.begin(), undelivered_.end(),
                      [&](const Message& m) { return m.meeting == r.meeting; });
      const bool can = !undelivered && (!r.message || may_wait(rank));
      if (can && c.requests.size() < 3 && chance(60))
        c.requests.push_back(r.number);
      else
        left.push_back(r);
    }
    pending = left;
    if (!c.requests.empty()) add(c);
  }
  void collective() {
    if (!all_may_wait()) return;
    Call c{.what = std::array{What::bcast, What::reduce,
                              What::allreduce}[static_cast<std::size_t>(below(3))],
           .target = any_rank(),
           .meeting = ++meetings_};
    c.buffer_count = c.what == What::bcast && chance(25) ? 0 : 1;
    for (c.rank = 0; c.rank < shape_.ranks; ++c.rank) {
      c.buffer = message_memory(c.rank, false);
      c.result = fresh(c.rank);
      add(c);
    }
  }

  struct Message {
    int from, to, meeting;
  };
  std::mt19937& random_;
  Shape shape_;
  Program program_;
  enum class Habit { any, polling, sections } habit_ = Habit::any;
  bool opening_ = false;  // an epoch for an operation
  int cells_ = 4;
  int meetings_ = 0, last_request_ = 0;
  std::vector<WindowState> windows_;
  std::vector<int> fresh_;                      // by rank
  std::vector<std::vector<Request>> requests_;  // not waited for, by rank
  std::vector<Message> undelivered_;
};

}  // namespace

Program random_program(std::mt19937& random, const Shape& shape) {
  return Generator(random, shape).make();
}

}  // namespace vouch::rma_programs
