#include "predict/testing/random_program.h"

#include <algorithm>
#include <random>

#include "base/check.h"

namespace vouch::predict {
namespace {

// What will become operations, in one order over all processes; each process keeps its part of it.
struct Event {
  enum class Kind : std::uint8_t { send, receive, wait_send, wait_receive, sync, probe };
  Kind kind;
  int process;
  int message = -1;  // sync: which one
};

struct Message {
  int source, dest, tag, comm;
  bool received, send_waits, late_wait;
};

class Maker {
 public:
  Maker(std::uint64_t seed, const RandomShape& shape)
      : random_(seed * 0x9E3779B97F4A7C15u + 1),
        shape_(shape),
        processes_(between(2, max_processes())),
        builder_(processes_),
        sends_(0),
        delivered_(processes_) {}

  Program make() {
    arrange();
    for (const auto& event : events_) emit(event);
    if (shape_.conditions) conditions();
    auto program = std::move(builder_).build();
    VOUCH_CHECK(program.ok());
    return std::move(program).value();
  }

 private:
  int max_processes() const { return std::max(2, shape_.max_processes); }
  // Plain remainders: std distributions differ between libraries, seeds shall not.
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }

  std::size_t insert(Event event, std::size_t from, std::size_t to) {
    const auto at = from + random_() % (to - from + 1);
    events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(at), event);
    return at;
  }

  void arrange() {
    const int count = between(1, shape_.max_messages);
    const bool tags = shape_.tags && chance(50);
    const bool surplus = shape_.surplus_sends && chance(25);
    const bool disorder = shape_.disorder && chance(40);
    const bool non_blocking = shape_.non_blocking && chance(60);
    const int hot = between(0, processes_ - 1);  // much goes there, so that there are races
    for (int m = 0; m < count; ++m) {
      const int source = between(0, processes_ - 1);
      int dest = chance(50) ? hot : between(0, processes_ - 1);
      if (dest == source && !chance(10)) dest = (source + 1) % processes_;
      messages_.push_back({source, dest, tags ? between(0, 2) : 0,
                           shape_.communicators && chance(20) ? 1 : 0, !(surplus && chance(20)),
                           non_blocking && chance(30), non_blocking && chance(50)});
      place(m, disorder);
    }
    if (shape_.barriers && chance(40)) syncs(between(1, 2));
  }

  void place(int m, bool disorder) {
    const auto& message = messages_[static_cast<std::size_t>(m)];
    const std::size_t end = events_.size();
    std::size_t sent = insert({Event::Kind::send, message.source, m}, 0, end);
    if (message.received) {
      const bool anywhere = disorder && chance(30);
      const std::size_t from = anywhere ? 0 : sent + 1;
      if (message.late_wait) {
        const auto waited =
            insert({Event::Kind::wait_receive, message.dest, m}, from, events_.size());
        if (waited <= sent) ++sent;
        if (insert({Event::Kind::receive, message.dest, m}, 0, waited) <= sent) ++sent;
      } else {
        if (insert({Event::Kind::receive, message.dest, m}, from, events_.size()) <= sent) ++sent;
      }
      if (shape_.probes && chance(20)) {
        const auto at = std::find_if(events_.begin(), events_.end(), [&](const Event& e) {
          return e.kind == Event::Kind::receive && e.message == m;
        });
        const auto index = static_cast<std::size_t>(at - events_.begin());
        if (insert({Event::Kind::probe, message.dest, m}, index, index) <= sent) ++sent;
      }
    }
    if (message.send_waits)
      insert({Event::Kind::wait_send, message.source, m}, sent + 1, events_.size());
  }

  void syncs(int count) {
    for (int n = 0; n < count; ++n) {
      sync_kinds_.push_back(SyncKind::all);
      if (shape_.collectives) sync_kinds_.back() = static_cast<SyncKind>(between(0, 4));
      sync_roots_.push_back(between(0, processes_ - 1));
      sync_blocks_.push_back(!(shape_.collectives && chance(30)));
    }
    // The same order everywhere; at one place of the whole order, or anywhere in each process.
    const bool together = chance(70);
    std::size_t low = 0;
    std::vector<std::size_t> lows(static_cast<std::size_t>(processes_), 0);
    for (int n = 0; n < count; ++n) {
      low = low + random_() % (events_.size() - low + 1);
      for (int p = 0; p < processes_; ++p) {
        auto& mine = lows[static_cast<std::size_t>(p)];
        const auto at = insert({Event::Kind::sync, p, n}, together ? low : mine,
                               together ? low : events_.size());
        for (auto& other : lows)
          if (other > at) ++other;
        mine = at + 1;
      }
      low += static_cast<std::size_t>(processes_);
    }
  }

  void emit(const Event& event) {
    const auto m = static_cast<std::size_t>(event.message);
    switch (event.kind) {
      case Event::Kind::send:
        return emit_send(m);
      case Event::Kind::receive:
        return emit_receive(m);
      case Event::Kind::wait_send:
        builder_.wait(event.process, handles_[m * 2]);
        return;
      case Event::Kind::wait_receive:
        builder_.wait(event.process, handles_[m * 2 + 1]);
        delivered_[static_cast<std::size_t>(event.process)].push_back(handles_[m * 2 + 1]);
        return;
      case Event::Kind::probe: {
        Operation probe;
        probe.comm = messages_[m].comm;
        probe.tag = kAny;
        builder_.probe(event.process, chance(50) ? kAny : messages_[m].source, probe);
        return;
      }
      case Event::Kind::sync:
        return emit_sync(event.process, m);
    }
  }

  void emit_send(std::size_t m) {
    const auto& message = messages_[m];
    Operation send;
    send.tag = message.tag;
    send.comm = message.comm;
    send.blocking = !message.send_waits;
    if (shape_.modes && chance(25))
      send.mode = chance(50) ? SendMode::synchronous : SendMode::buffered;
    if (shape_.conditions) send.expr = value(message.source);
    handle(m * 2) = builder_.send(message.source, message.dest, send);
  }

  void emit_receive(std::size_t m) {
    const auto& message = messages_[m];
    Operation receive;
    receive.tag = message.tag;
    if (shape_.tags && chance(30)) receive.tag = kAny;
    receive.comm = message.comm;
    const int source = shape_.wildcards_only || chance(50) ? kAny : message.source;
    if (message.late_wait) {
      handle(m * 2 + 1) = builder_.receive(message.dest, source, receive);
      return;
    }
    handle(m * 2 + 1) = builder_.blocking_receive(message.dest, source, receive);
    delivered_[static_cast<std::size_t>(message.dest)].push_back(handles_[m * 2 + 1]);
  }

  void emit_sync(int process, std::size_t n) {
    Operation sync;
    sync.blocking = sync_blocks_[n];
    for (int p = 0; sync_kinds_[n] == SyncKind::listed && p < processes_; ++p)
      if (p != process && chance(40)) sync.sources.push_back(p);
    const auto handle = builder_.sync(process, 0, sync_kinds_[n], sync_roots_[n], sync);
    if (!sync.blocking) builder_.wait(process, handle);
  }

  Builder::Handle& handle(std::size_t index) {
    if (handles_.size() <= index) handles_.resize(index + 1);
    return handles_[index];
  }

  // A number of its own for each message, sometimes on top of what came in.
  ExprId value(int process) {
    const auto own = builder_.constant(++sends_);
    const auto& here = delivered_[static_cast<std::size_t>(process)];
    if (here.empty() || !chance(30)) return own;
    return builder_.make(Expr::Kind::add, builder_.variable(pick(here)), own);
  }

  Builder::Handle pick(const std::vector<Builder::Handle>& from) {
    return from[random_() % from.size()];
  }

  ExprId condition(const std::vector<Builder::Handle>& here) {
    const auto left = builder_.variable(pick(here));
    const auto right =
        chance(50) ? builder_.constant(between(0, sends_)) : builder_.variable(pick(here));
    constexpr Expr::Kind kinds[] = {Expr::Kind::equal, Expr::Kind::unequal, Expr::Kind::less,
                                    Expr::Kind::less_equal};
    const auto one = builder_.make(kinds[between(0, 3)], left, right);
    return chance(20) ? builder_.make(Expr::Kind::no, one) : one;
  }

  void conditions() {
    for (int p = 0; p < processes_; ++p) {
      const auto& here = delivered_[static_cast<std::size_t>(p)];
      if (here.empty()) continue;
      if (chance(25)) builder_.assume(p, condition(here));
      if (chance(60)) builder_.assertion(p, condition(here));
    }
  }

  std::mt19937_64 random_;
  const RandomShape& shape_;
  int processes_;
  Builder builder_;
  int sends_;
  std::vector<std::vector<Builder::Handle>> delivered_;  // by process: receives with a value
  std::vector<Message> messages_;
  std::vector<Event> events_;
  std::vector<SyncKind> sync_kinds_;
  std::vector<int> sync_roots_;
  std::vector<bool> sync_blocks_;
  std::vector<Builder::Handle> handles_;  // by message: send, receive
};

}  // namespace

Program random_program(std::uint64_t seed, const RandomShape& shape) {
  return Maker(seed, shape).make();
}

}  // namespace vouch::predict
