#include "match/clocks.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "act/window_act.h"
#include "match/neighbours.h"
#include "match/wave.h"

namespace vouch {
namespace {

bool flows_from_root(Proc proc) {
  return info(proc).flow == Flow::from_root || info(proc).flow == Flow::root_to_me;
}
bool flows_to_root(Proc proc) {
  return info(proc).flow == Flow::to_root || info(proc).flow == Flow::each_to_root;
}
// From all to all, or from those below; what is not known of others counts as such.
bool flows_everywhere(Proc proc) { return !flows_from_root(proc) && !flows_to_root(proc); }

// Each member says how much it gets of each other one.
bool is_listed(Proc proc) {
  return info(proc).flow == Flow::each_to_root || info(proc).flow == Flow::each_to_me;
}

bool flows_to_neighbours(Proc proc) { return info(proc).flow == Flow::neighbours; }

// Nothing comes to this member: a count of 0, or a type without data. What is not known counts as
// something. `peer` matters where a member says how much it gets of each.
bool gets_nothing(const Said& s, std::size_t peer) {
  if (info(s.proc).family != Family::collective && !flows_to_neighbours(s.proc)) return false;
  const bool one_side = s.reduces || info(s.proc).base == Proc::bcast;
  const Portion& portion = one_side ? s.send : s.recv;
  if (!portion.data() || portion.blocks.size() <= (portion.per_peer ? peer : 0)) return false;
  const Payload& block = portion.to(peer);
  return block.known() && block.digest.atoms == 0;
}

}  // namespace

Clocks::Clocks(World& world) : world_(world), arena_(new Arena) {}

Clocks::Plan Clocks::make_plan(Proc proc) {
  Plan p;
  p.unseen = unseen_order(proc);
  p.orders = info(proc).flow == Flow::nobody               ? Orders::nobody
             : window_call(proc).deed == WindowDeed::fence ? Orders::unless_it_only_opens
             : window_call(proc).deed == WindowDeed::free  ? Orders::unless_never_locked
                                                           : Orders::yes;
  p.request = static_cast<std::int8_t>(info(proc).first(Kind::request, Dir::out));
  p.starts_later = info(proc).has(kPersistent);
  return p;
}

Clocks::Unseen Clocks::unseen_order(Proc proc) {
  const ProcInfo& about = info(proc);
  switch (about.role) {
    case CallRole::join_group:
    case CallRole::join_groups:
      return Unseen::any;
    case CallRole::win_lock:
      return Unseen::memory;
    default:
      break;
  }
  const bool any = about.family == Family::partitioned ? about.has(kPersistent)
                   : about.family == Family::dynamic
                       ? about.first(Kind::comm, Dir::out) >= 0
                       : about.has(kCollective) && about.has(kPersistent);
  return any ? Unseen::any : Unseen::no;
}

Clocks::~Clocks() {
  apart_.reset();
  lines_.clear();
  nothing_known_.reset();
  arena_->orphan();
}

void Clocks::spread(RemoteMoments& remote) {
  apart_ = std::make_unique<ApartClocks>(*this, world_, remote);
}

// ---- The course of a process ----
void Clocks::add_lines(std::uint32_t process) {
  line_count_ = process + 1;
  lines_.resize(line_count_);
}

// A new current moment, which knows what the old one does.
void Clocks::step(Line& line, std::uint32_t process) {
  MomentRef next(arena_->take());
  next->column = process;
  next->time = line.time;
  if (apart_ != nullptr) {
    const int rank = world_.process(process).rank.value;
    next->doubtful = rank < 0;
    next->column = static_cast<std::uint32_t>(rank);
    arena_->set_column(process, next->column);
  }
  if (Moment* old = line.current.get()) {
    if (old->known()) {
      next->doubtful = next->doubtful || old->doubtful;
      next->by_memory = old->by_memory;
      arena_->share(*next, *old);
    } else {
      ++next->waits;
      old->edges = arena_->edge(next.get(), 0, old->edges);
    }
  }
  line.current = std::move(next);
  line.captured = false;
  if (arena_->live() > kLive) give_up();
}

const MomentRef& Clocks::knowledge(std::uint32_t process) {
  if (off_) return nothing_known_;
  Line& line = line_of(process);
  if (!line.current) step(line, process);
  if (off_) return nothing_known_;
  line.captured = true;
  return line.current;
}

// A moment for what becomes known at this point.
Moment& Clocks::learning(Line& line, std::uint32_t process) {
  if (!line.current || line.captured) step(line, process);
  return off_ ? *nothing_known_ : *line.current;
}

void Clocks::learn(std::uint32_t process, const MomentRef& from, std::uint32_t number) {
  if (off_ || !from || (from->known() && from->empty() && number == 0)) return;
  Line& line = line_of(process);
  const Moment* old = line.current.get();
  if (old != nullptr && old->known() && from->known() && from->before == old->before &&
      from->doubtful == old->doubtful && from->by_memory == old->by_memory &&
      old->in_column(from->column) >= std::max(from->time, number))
    return;
  const MomentRef into(&learning(line, process));
  if (off_) return;
  ++into->waits;
  feed(*into, *from, number);
}

void Clocks::feed(Moment& into, Moment& from, std::uint32_t number) {
  if (!from.known()) {
    from.edges = arena_->edge(&into, number, from.edges);
    return;
  }
  arena_->merge(into, from, number);
  unwait(into);
}

// One of its sources is settled. If it was the last one, those who wait for it learn.
void Clocks::unwait(Moment& m) {
  if (--m.waits > 0) return;
  ++m.refs;
  ready_.push_back(&m);
  while (!ready_.empty()) {
    Moment* x = ready_.back();
    ready_.pop_back();
    if (x->leaves) apart_->leave(*x);
    while (Edge* e = x->edges) {
      x->edges = e->next;
      Moment* to = e->to;
      arena_->merge(*to, *x, e->number);
      arena_->give_back(e);
      if (--to->waits == 0) {
        ready_.push_back(to);  // the edge's hold is handed on
      } else if (--to->refs == 0) {
        arena_->let_go(to);
      }
    }
    if (--x->refs == 0) arena_->let_go(x);
  }
}

void Clocks::doubt(std::uint32_t process) {
  if (off_) return;
  Line& line = line_of(process);
  if (line.current && line.current->doubtful && line.current->known()) return;
  learning(line, process).doubtful = true;
}

void Clocks::leave(const Process& process, Proc proc) {
  const auto p = static_cast<std::uint32_t>(process.index);
  if (plan(proc).unseen == Unseen::any) return doubt(p);
  if (off_) return;
  Line& line = line_of(p);
  if (line.current && line.current->by_memory && line.current->known()) return;
  learning(line, p).by_memory = true;
}

MomentRef Clocks::expected() {
  if (off_) return nothing_known_;
  const MomentRef m(arena_->take());
  ++m->waits;
  return m;
}

void Clocks::tell_expected(const MomentRef& expected, const MomentRef& is) {
  if (!off_ && !expected->known()) feed(*expected, *is, 0);
}

void Clocks::never(const MomentRef& expected) {
  if (off_ || expected->known()) return;
  expected->doubtful = true;
  unwait(*expected);
}

const MomentRef& Clocks::unknown() {
  if (!nothing_known_) {
    nothing_known_ = MomentRef(arena_->take());
    nothing_known_->doubtful = true;
  }
  return nothing_known_;
}

// Something that everything waits for never becomes known, and memory must stay bounded.
void Clocks::give_up() {
  off_ = true;
  unknown();
  if (apart_ != nullptr) apart_->give_up();
  for (Line& line : lines_) {
    line.current.reset();
    line.collectives.clear();
    line.requests = {};
  }
}

// ---- Messages ----
// Whether a ready send will meet a receive is not known when it is posted. So the first postings
// are all noted, and if a ready send was seen, all later ones.
bool Clocks::notes_postings(Line& line) {
  constexpr std::uint32_t kFirst = 1u << 17, kLeast = 1u << 10, kApart = 1u << 6;
  if (ready_sends_) return true;
  // To tell other agents of each is dear.
  if (apart_ != nullptr) return ++line.postings <= kApart;
  const auto ranks = static_cast<std::uint32_t>(std::max(world_.size(), 1));
  return ++line.postings <= std::max(kFirst / ranks, kLeast);
}

void Clocks::posted_receive(Operation& op) {
  const bool any_source = op.peer == wire::kAnySource;
  if (any_source) line_of(op.process).any_source = true;
  if (off_ || op.role == Role::look) return;
  Line& line = line_of(op.process);
  op.when = now(line, op.process);
  if (op.blocking) {
    op.issued = line.time + 1;  // the process tells nobody before it is over
  } else if (any_source || notes_postings(line)) {
    op.issued = note(op.process);
  }
}

void Clocks::wait_for_partner(Operation* op) {
  completing_ = nullptr;
  if (off_) return;
  const MomentRef in(&learning(line_of(op->process), op->process));
  if (off_) return;
  op->in = in;
  ++in->waits;
}

void Clocks::surely_matched(Operation& op) {
  if (op.peer == wire::kAnySource && op.matched == 0) op.matched = note(op.process);
}

void Clocks::tell_partner(Operation& to, const MomentRef& from, std::uint32_t number) {
  if (to.in) {
    const MomentRef in = std::move(to.in);
    if (from) {
      feed(*in, *from, number);
    } else {
      unwait(*in);
    }
  } else if (completing_ == &to) {
    completing_ = nullptr;
    learn(to.process, from, number);
  }
}

void Clocks::met(Operation& send, Operation& recv) {
  tell_partner(recv, send.when, 0);
  // MPI-4.1 3.8.2: what a probe has matched is not received yet.
  if (recv.role != Role::look && recv.buffer_known) started(send, recv);
}

// MPI-4.1 3.4: a synchronous send completes only if the receive was started, and has then matched.
void Clocks::started(Operation& send, Operation& recv) {
  if (send.mode != SendMode::synchronous) return;
  if (send.process >= World::kAway) return apart_->answer(send, recv);
  tell_partner(send, recv.when, recv.peer == wire::kAnySource ? recv.issued : 0);
}

void Clocks::receiving(Operation& op) {
  if (!off_ && op.when) op.when = now(op.process);
}

void Clocks::gone(Operation& op, bool lost) {
  if (completing_ == &op) completing_ = nullptr;
  if (!op.in) return;
  const MomentRef in = std::move(op.in);
  in->doubtful = in->doubtful || lost;
  unwait(*in);
}

// ---- Collectives ----
bool Clocks::orders_nobody(const Process& process, const Call& call) const {
  const Orders orders = plan(call.proc()).orders;
  if (orders == Orders::yes || orders == Orders::nobody) return orders == Orders::nobody;
  const WindowAct act = window_act(process, call);
  // MPI-4.1 12.5.1: a fence that ends no epoch need not be a barrier.
  if (orders == Orders::unless_it_only_opens) return act.no_precede;
  // 12.2.5: the call that frees a window is one, but for windows that are never locked.
  const Window* window = process.windows.find(act.window);
  return window != nullptr && window->no_locks;
}

void Clocks::join(const Process& process, const Call& call) {
  if (off_ || orders_nobody(process, call)) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  const MomentRef when = now(p);
  if (off_) return;
  line_of(p).collectives.push_back({call.seq(), when, {}, {}});
}

void Clocks::joined(const Process& process, const Call& call, bool counted) {
  if (off_ || counted || plan(call.proc()).orders == Orders::nobody) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  Line& line = line_of(p);
  if (!line.collectives.empty() && line.collectives.back().seq == call.seq())
    line.collectives.pop_back();
  if (apart_ == nullptr) return;
  // Its other members may be elsewhere.
  const int at = call.info().first(Kind::comm, Dir::in);
  const Communicator* c = at < 0 ? nullptr : process.comms.find(call.enter().handle(at));
  if (c == nullptr || c->inter() || c->size > 1) doubt(p);
}

// Waves become known in about the order of the calls: those looked for are near one end.
std::size_t Clocks::oldest(const Line& line, std::uint32_t seq) {
  std::size_t i = 0;
  while (i < line.collectives.size() && line.collectives[i].seq != seq) ++i;
  return i;
}

void Clocks::Calls::drop(std::size_t i) {
  if (i > 0) {
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(first_ + i));
    return;
  }
  all_[first_++] = {};
  if (empty()) return clear();
  constexpr std::size_t kGone = 64;
  if (first_ < kGone || 2 * first_ < all_.size()) return;
  all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

std::size_t Clocks::newest(const Line& line, std::uint32_t seq) {
  const std::size_t n = line.collectives.size();
  std::size_t i = n;
  while (i > 0 && line.collectives[i - 1].seq != seq) --i;
  return i == 0 ? n : i - 1;
}

void Clocks::left(const Process& process, const Call& call, const Event& leave) {
  if (off_) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  Line& line = line_of(p);
  if (leave.error_class() != 0) {
    doubt(p);
    return;
  }
  const Plan& about = plan(call.proc());
  if (about.orders == Orders::nobody) return;
  if (about.request < 0) return back(line, p, call.seq());
  if (about.starts_later || !leave.has_words()) return;
  line.requests[call.seq()] = true;
}

void Clocks::request_done(const Process& process, std::uint32_t call) {
  if (off_) return;
  const auto p = static_cast<std::uint32_t>(process.index);
  Line& line = line_of(p);
  if (line.requests.erase(call)) back(line, p, call);
}

void Clocks::back(Line& line, std::uint32_t process, std::uint32_t seq) {
  const std::size_t at = newest(line, seq);
  if (at == line.collectives.size()) return;
  Collective& c = line.collectives[at];
  if (!c.told) {
    const MomentRef in(&learning(line, process));
    if (off_) return;  // and c is gone
    c.back = true;
    c.in = in;
    ++in->waits;
    return;
  }
  const MomentRef from = std::move(c.from);
  const bool doubtful = c.doubtful;
  line.collectives.drop(at);
  learn(process, from, 0);
  if (doubtful) doubt(process);
}

void Clocks::tell(const Attendee& a, const MomentRef& from, bool doubtful) {
  if (off_) return;
  if (a.process >= World::kAway) return apart_->tell(a, from);
  Line& line = line_of(a.process);
  const std::size_t at = oldest(line, a.seq);
  if (at == line.collectives.size()) return;
  Collective& c = line.collectives[at];
  c.told = true;
  c.doubtful = doubtful;
  if (!c.back) {
    c.from = from;
    return;
  }
  const MomentRef in = std::move(c.in);
  line.collectives.drop(at);
  in->doubtful = in->doubtful || doubtful;
  if (from) {
    feed(*in, *from, 0);
  } else {
    unwait(*in);
  }
}

bool Clocks::goes_upwards(const Wave& wave) {
  return info(wave.classes.front().said.proc).flow == Flow::prefix && !wave.assembly->inter;
}

bool Clocks::differs_by_member(const Wave& wave) {
  const Proc proc = wave.classes.front().said.proc;
  return goes_upwards(wave) || is_listed(proc) || flows_to_neighbours(proc);
}

// Others need what this member has.
bool Clocks::gives(const Wave& wave, const Said& s) {
  const Proc proc = wave.classes.front().said.proc;
  if (info(proc).flow == Flow::nobody) return false;
  // Of an inter-communicator's root group the others take no part.
  if (wave.assembly->inter && s.rooted && !s.at_root && s.root < 0) return false;
  return flows_everywhere(proc) || flows_from_root(proc) == s.at_root;
}

void Clocks::gather(MomentRef& into, Moment& when) {
  if (when.known() && when.empty()) return;
  if (!into) into = MomentRef(arena_->take());
  ++into->waits;
  feed(*into, when, 0);
}

void Clocks::gather(MomentRef& into, const Attendee& a) {
  if (a.process >= World::kAway) return;  // it is brought
  const Line& line = line_of(a.process);
  const std::size_t at = oldest(line, a.seq);
  if (at < line.collectives.size()) gather(into, *line.collectives[at].when);
}

void Clocks::gather(MomentRef& into, const Attendee& a,
                    const std::vector<ApartClocks::Brought>& brought) {
  gather(into, a);
  for (const ApartClocks::Brought& b : brought) {
    if (b.process == a.process) gather(into, *b.moment);
  }
}

void Clocks::scan(const Wave& wave, const std::vector<ApartClocks::Brought>& brought,
                  bool doubtful) {
  std::vector<const Attendee*> order;
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) order.push_back(&a);
  }
  std::sort(order.begin(), order.end(),
            [](const Attendee* a, const Attendee* b) { return a->me < b->me; });
  std::set<const Attendee*> nothing;
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      if (gets_nothing(c.said, 0)) nothing.insert(&a);
    }
  }
  MomentRef below;
  for (const Attendee* a : order) {
    MomentRef next;
    if (below) gather(next, *below);
    gather(next, *a, brought);
    tell(*a, nothing.contains(a) ? MomentRef() : below, doubtful);
    below = std::move(next);
  }
}

// What this class of members gets, where it gets nothing of some.
MomentRef Clocks::gather_listed(const Wave& wave, const Said& s,
                                const std::vector<ApartClocks::Brought>& brought) {
  MomentRef from;
  const auto gives = [&](const Attendee& a) {
    return !gets_nothing(s, static_cast<std::size_t>(a.me));
  };
  for (const Wave::Class& c : wave.classes) {
    if (wave.assembly->inter && c.said.side == s.side) continue;
    for (const Attendee& a : c.members) {
      if (gives(a)) gather(from, a, brought);
    }
  }
  return from;
}

// Whether this block of what a neighbour receives is not empty; -1: whether any is.
bool Clocks::brings(const Said& s, int block) {
  if (block >= 0) return !gets_nothing(s, static_cast<std::size_t>(block));
  const std::size_t blocks = std::max<std::size_t>(s.recv.blocks.size(), 1);
  std::size_t i = 0;
  while (i < blocks && gets_nothing(s, i)) ++i;
  return i < blocks;
}

// MPI-4.1 8.6: each gets something of its sources. Where they are not known it may be of all.
void Clocks::tell_neighbours(const Wave& wave, const std::vector<ApartClocks::Brought>& brought,
                             bool doubtful) {
  std::unordered_map<int, const Attendee*> members;  // by rank
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) members[a.me] = &a;
  }
  // Who is told may forget when it came: all that they learn is put together before.
  learnt_.clear();
  std::vector<NeighbourSource> sources;
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      MomentRef from;
      if (!sources_of(*wave.assembly, a.me, sources)) {
        for (const auto& [me, other] : members) gather(from, *other, brought);
      }
      for (const NeighbourSource& source : sources) {
        const auto found = members.find(source.rank);
        if (found != members.end() && source.rank != a.me && brings(c.said, source.block))
          gather(from, *found->second, brought);
      }
      learnt_.push_back(std::move(from));
    }
  }
  std::size_t at = 0;
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) tell(a, learnt_[at++], doubtful);
  }
  learnt_.clear();
}

// What a class of members learns. Only what brings data orders (MPI-4.1 6.14: a collective may or
// may not synchronise).
MomentRef Clocks::learnt_by(const Wave& wave, const Said& s, const MomentRef& together,
                            const std::vector<ApartClocks::Brought>& brought) {
  const bool takes = flows_everywhere(s.proc) || flows_from_root(s.proc) != s.at_root;
  const bool idle = wave.assembly->inter && s.rooted && !s.at_root && s.root < 0;
  if (!takes || idle) return {};
  if (info(s.proc).flow == Flow::all_to_my_part) return together;  // by member
  if (!is_listed(s.proc)) return gets_nothing(s, 0) ? MomentRef() : together;
  for (std::size_t i = 0; i < s.recv.blocks.size(); ++i) {
    if (gets_nothing(s, i)) return gather_listed(wave, s, brought);
  }
  return together;
}

void Clocks::on_wave(const Wave& wave) {
  if (off_ || wave.classes.empty() || plan(wave.classes.front().said.proc).orders == Orders::nobody)
    return;
  const bool doubtful = !wave.complete || wave.doubtful ||
                        wave.classes.front().said.proc != wave.classes.back().said.proc;
  std::vector<ApartClocks::Brought> brought;
  if (apart_ != nullptr) brought = apart_->take_brought(wave);
  if (goes_upwards(wave)) {
    scan(wave, brought, doubtful);
  } else if (flows_to_neighbours(wave.classes.front().said.proc)) {
    tell_neighbours(wave, brought, doubtful);
  } else {
    const bool inter = wave.assembly->inter;
    // Where they come together: of each group of an inter-communicator.
    MomentRef together[2];
    for (const ApartClocks::Brought& b : brought) gather(together[0], *b.moment);
    for (const Wave::Class& c : wave.classes) {
      if (!gives(wave, c.said)) continue;
      for (const Attendee& a : c.members) gather(together[inter ? c.said.side : 0], a);
    }
    // Who is told may forget when it came: all that they learn is put together before.
    learnt_.clear();
    for (const Wave::Class& c : wave.classes)
      learnt_.push_back(learnt_by(wave, c.said, together[inter ? 1 - c.said.side : 0], brought));
    for (std::size_t i = 0; i < wave.classes.size(); ++i) {
      const Said& s = wave.classes[i].said;
      const bool parts = info(s.proc).flow == Flow::all_to_my_part;
      for (const Attendee& a : wave.classes[i].members) {
        const bool none = parts && gets_nothing(s, static_cast<std::size_t>(a.me));
        tell(a, none ? MomentRef() : learnt_[i], doubtful);
      }
    }
    learnt_.clear();
  }
  if (apart_ != nullptr) apart_->tell_all(doubtful);
}

}  // namespace vouch
