// What surely happens before what: clocks of the processes, docs/design/003-clocks.md.
//
// The course of a process is cut where it may learn of others: at a receive that completes (from
// the send it met), at a synchronous send that completes (from the posting of the receive), at a
// collective that returns (from those whose data it needs). In between it is one moment. Only noted
// points are counted: wildcard receives and probes at the point where they have surely matched, the
// postings of nonblocking receives that a ready send may meet, and what an analysis asks for.
//
// A wildcard that is pending has matched, at the latest, when a receive posted after it that fits
// the same message completes (the order "matches-before"); its point is there, not at its posting
// and not at its wait.
//
// What post, start, complete and wait order is added by those who pair them (exposure.h). A process
// that locks windows may also learn through memory: that is told of its moments (by_memory), not
// followed. Order that comes about otherwise (other worlds) is not seen: what lies behind it is
// doubtful. Window fences count as if all waited for all, which can only hide a race; a fence that
// only opens an epoch orders nobody. Time is never used.
//
// Collectives order as their data flow (api/README.md). What is not known counts as from all to
// all: the neighbours of a graph of which not all was told, the call that makes a window or a file.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "event/plan_table.h"
#include "match/clock.h"
#include "match/clocks_apart.h"
#include "match/operation.h"
#include "model/world.h"

namespace vouch {

struct Said;

class Clocks : public MatchObserver {
 public:
  // Moments that are not known yet; beyond this the clocks are given up.
  static constexpr std::size_t kLive = std::size_t{1} << 20;

  explicit Clocks(World&);
  ~Clocks() override;
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;

  // The moment in which this process is now.
  const MomentRef& now(std::uint32_t process) {
    if (off_) [[unlikely]]
      return nothing_known_;
    return now(line_of(process), process);
  }
  // The same for those who only ask what it knows of others: of itself it counts only what was
  // noted before somebody else asked. It changes less often.
  const MomentRef& knowledge(std::uint32_t process);
  // A number for this point: what starts from here on has it before it.
  std::uint32_t note(std::uint32_t process) {
    Line& line = line_of(process);
    line.noted = true;
    return line.time + 1;
  }

  // Another value whenever a point of the process was noted.
  std::uint64_t noted(std::uint32_t process) const {
    if (process >= lines_.size()) return 0;
    return 2 * std::uint64_t{lines_[process].time} + lines_[process].noted;
  }
  // It has posted a receive or probe from any source.
  bool any_source(std::uint32_t process) const {
    return process < lines_.size() && lines_[process].any_source;
  }

  // An operation is posted.
  void posted(Operation& op) {
    if (op.role != Role::send) return posted_receive(op);
    if (off_) return;
    op.when = now(op.process);
    ready_sends_ = ready_sends_ || op.mode == SendMode::ready;
  }
  // It completes in the program's view; between the two calls it may meet (met), and afterwards it
  // may be gone.
  void completing(Operation* op) {
    if (op->role != Role::send) {
      if (op->peer == wire::kAnySource) surely_matched(*op);
      if (op->in) return;  // it has learnt before
    } else if (op->mode != SendMode::synchronous) {
      return;
    }
    completing_ = op;
  }
  void completed(Operation* op) {
    if (completing_ == op) wait_for_partner(op);
  }
  void met(Operation& send, Operation& recv);
  // A message that a probe has matched is received now. Then, once both are known:
  void receiving(Operation& recv);
  void started(Operation& send, Operation& recv);
  // It has surely matched by now, whatever it will turn out to have met.
  void surely_matched(Operation&);
  // It will never meet anybody. `lost`: or nobody will know whom.
  void gone(Operation&, bool lost);
  // From here on there may be more before than is known.
  void doubt(std::uint32_t process);

  // Order that others find. A moment that one of them will tell of, once.
  MomentRef expected();
  void tell_expected(const MomentRef&, const MomentRef& is);
  void never(const MomentRef&);  // it will not be told: who knows what it was
  void learn_of(std::uint32_t process, const MomentRef& from) { learn(process, from, 0); }

  bool sees(Proc proc) const { return plan(proc).unseen != Unseen::no; }
  void leave(const Process& process, Proc);

  // Collectives. Before Waves sees the call; `counted` afterwards: it is part of a wave.
  void join(const Process&, const Call&);
  void joined(const Process&, const Call&, bool counted);
  void left(const Process&, const Call&, const Event& leave);
  bool expects(const Process& process) const {
    return process.index < lines_.size() && !lines_[process.index].requests.empty();
  }
  // The request that this call made is complete.
  void request_done(const Process&, std::uint32_t call);
  void on_wave(const Wave&) override;

  // Several agents, before the first event.
  void spread(RemoteMoments&);
  ApartClocks& apart() { return *apart_; }
  void came(const Operation& send) { ready_sends_ = ready_sends_ || send.mode == SendMode::ready; }
  void completed_apart(const Operation& send) { apart_->completed(send); }

  // Of something of which nobody knows any more what happened before it.
  const MomentRef& unknown();

  bool given_up() const { return off_; }
  void give_up();
  std::size_t live() const { return arena_->live(); }

 private:
  void tell_partner(Operation& to, const MomentRef& from, std::uint32_t number);
  friend class ApartClocks;
  struct Collective {
    std::uint32_t seq = 0;
    MomentRef when;  // it was called
    MomentRef from;  // what its return tells, once the wave is known
    MomentRef in;    // it has returned before the wave was known
    bool told = false, back = false, doubtful = false;
  };
  // Those that a process has called, in this order, until they are told and back. Most go from the
  // front.
  class Calls {
   public:
    bool empty() const { return first_ == all_.size(); }
    std::size_t size() const { return all_.size() - first_; }
    Collective& operator[](std::size_t i) { return all_[first_ + i]; }
    const Collective& operator[](std::size_t i) const { return all_[first_ + i]; }
    Collective& back() { return all_.back(); }
    void push_back(Collective c) { all_.push_back(std::move(c)); }
    void pop_back() {
      all_.pop_back();
      if (empty()) clear();
    }
    void drop(std::size_t i);
    void clear() {
      all_.clear();
      first_ = 0;
    }

   private:
    std::vector<Collective> all_;
    std::size_t first_ = 0;
  };
  struct Line {
    std::uint32_t time = 0;
    bool noted = false;     // a point since the latest moment was taken
    bool captured = false;  // somebody has seen the current moment: it must not change
    bool any_source = false;
    std::uint32_t postings = 0;
    MomentRef current;
    Calls collectives;
    FlatMap<std::uint64_t, bool> requests;  // collectives, by seq, that a request stands for
  };

  Line& line_of(std::uint32_t process) {
    if (process >= line_count_) [[unlikely]]
      add_lines(process);
    return lines_[process];
  }
  void add_lines(std::uint32_t process);
  const MomentRef& now(Line& line, std::uint32_t process) {
    if (line.noted) {
      ++line.time;
      line.noted = false;
    }
    if (!line.current || (line.captured && line.current->time != line.time)) [[unlikely]] {
      step(line, process);
      if (off_) return nothing_known_;
    }
    line.current->time = line.time;
    line.captured = true;
    return line.current;
  }
  void posted_receive(Operation&);
  void wait_for_partner(Operation*);
  void step(Line&, std::uint32_t process);
  Moment& learning(Line&, std::uint32_t process);
  void learn(std::uint32_t process, const MomentRef& from, std::uint32_t number);
  void feed(Moment& into, Moment& from, std::uint32_t number);
  void unwait(Moment&);
  bool notes_postings(Line&);
  static std::size_t oldest(const Line&, std::uint32_t seq);  // its place among the collectives
  static std::size_t newest(const Line&, std::uint32_t seq);
  void back(Line&, std::uint32_t process, std::uint32_t seq);
  static bool goes_upwards(const Wave&);
  static bool differs_by_member(const Wave&);  // whom a member learns from
  static bool gives(const Wave&, const Said&);
  static bool brings(const Said&, int block);
  void gather(MomentRef& into, const Attendee&);
  void gather(MomentRef& into, const Attendee&, const std::vector<ApartClocks::Brought>&);
  void gather(MomentRef& into, Moment& when);
  MomentRef gather_listed(const Wave&, const Said&, const std::vector<ApartClocks::Brought>&);
  MomentRef learnt_by(const Wave&, const Said&, const MomentRef& together,
                      const std::vector<ApartClocks::Brought>&);
  void scan(const Wave&, const std::vector<ApartClocks::Brought>&, bool doubtful);
  void tell_neighbours(const Wave&, const std::vector<ApartClocks::Brought>&, bool doubtful);
  bool orders_nobody(const Process&, const Call&) const;
  void tell(const Attendee&, const MomentRef& from, bool doubtful);

  World& world_;
  std::unique_ptr<ApartClocks> apart_;  // nullptr: one agent
  Arena* arena_;
  std::vector<Line> lines_;
  std::uint32_t line_count_ = 0;  // of them
  std::vector<Moment*> ready_;
  Operation* completing_ = nullptr;
  bool ready_sends_ = false;  // one was seen
  bool off_ = false;
  MomentRef nothing_known_;  // once asked for, or given up
  // Order that a call may bring about and that is not looked at.
  enum class Unseen : std::uint8_t { no, memory, any };
  static Unseen unseen_order(Proc);
  // Whether a collective orders any of its members.
  enum class Orders : std::uint8_t { yes, unless_it_only_opens, unless_never_locked, nobody };
  struct Plan {
    Unseen unseen = Unseen::no;
    Orders orders = Orders::yes;
    std::int8_t request = -1;   // that it makes
    bool starts_later = false;  // a persistent one
  };
  static Plan make_plan(Proc);
  const Plan& plan(Proc proc) const { return plans_[static_cast<std::size_t>(proc)]; }
  const std::vector<Plan>& plans_ = plan_table<make_plan>();
  std::vector<MomentRef> learnt_;  // scratch of on_wave()
};

}  // namespace vouch
