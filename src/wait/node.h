// Where every process stands: the transition system of docs/design/005-deadlock.md.
//
// A node owns the positions of its processes. Their operations come in as they are called; a
// process goes on past its active operation when that need not wait, or has met its partner. Rules
// that are enabled stay enabled, so the order in which operations of different processes come in
// does not matter. A process with several strands can act if one of them can. One node alone makes
// direct calls; several exchange messages (message.h).
//
// Cost: amortised O(1) per operation. Memory: what has not met and what lies ahead of the
// positions; of messages that wait to be received about 20 bytes, once there are many.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wait/assign.h"
#include "wait/inbox.h"
#include "wait/index_set.h"
#include "wait/message.h"
#include "wait/snapshot.h"

namespace vouch::wait {

class Node {
 public:
  // `network` may be null if the layout has one node.
  Node(int id, Layout layout, Network* network, Buffering buffering = {});
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Before the first call.
  void set_limits(const RestLimits& limits) { limits_ = limits; }
  // Before the communicator is used by one of this node's processes.
  void define(CommId, GroupRef);
  const Groups& groups() const { return groups_; }

  // Calls, in the order of their process ------------------------------------------------
  struct Send {
    Label label;
    Envelope envelope;
    bool blocks = true;       // else a request is made
    bool standard = true;     // the library may buffer it
    bool synchronous = true;  // false: buffered or ready, it never waits
    std::uint64_t bytes = 0;
  };
  Index send(Caller, const Send&);
  Index recv(Caller, Label, const Envelope&, bool blocks);
  Index probe(Caller, Label, const Envelope&);
  // A matched probe takes the message; its sender waits until that is received.
  Index claim(Caller, Label, const Envelope&, bool blocks);
  Index receipt(Caller, Label, Index claim);
  // `loose`: the library may let this member go on before the others have come.
  Index collective(Caller, Label, CommId, std::uint64_t wave, bool blocks, bool loose = false);
  // Parts that are not known any more are complete.
  Index completion(Caller, Label, std::span<const Index> parts, bool all);
  Index finalize(Caller, Label);
  Index other(Caller, Label);

  // What becomes of them ------------------------------------------------
  void returned(Rank, Index);                                // the call is over
  void resolve(Rank, Index, Rank source, std::int32_t tag);  // what a wildcard took
  // A schedule makes a wildcard take its message from this source; the tag may be kAnyTag. Once it
  // has got it (resolve), it is a wildcard like any other that got this message.
  void decide(Rank, Index, Rank source, std::int32_t tag);
  // A schedule makes its process wait for this one; by itself the call would not have waited.
  void impose(Rank, Index);
  // The same with the sender's number in the communicator.
  void resolve_number(Rank, Index, std::int64_t sender, std::int32_t tag);
  void withdraw(Rank, Index);  // it failed or was cancelled
  void excuse(Rank, Index);    // nobody has to wait for it
  void release(Rank, Index);   // its request is no more
  void over(Rank, Index);      // returned, and no request stands for it
  void end(Rank);              // it is gone
  // It asks again and again whether these are done, or whether such a message is there. What it has
  // asked for before, it asks for as well, until it does something else.
  void polls(Rank, Label, std::span<const Index> parts, bool all);
  void polls(Rank, Label, const Envelope&);
  void polls_unknown(Rank);  // for something of which nothing is known
  void polls_no_more(Rank);
  // Its calls have no order that could be followed: it counts as running from now on.
  void ignore(Rank);
  // It has threads beyond the calls that are seen here. While they may act, so may the process;
  // else it stands where its strands do. Before the first word of it a process has no such threads.
  void set_outside(Rank, bool may_act);

  // Operations with this label wait only until they have returned: a finding tells of them.
  void tolerate(Label label) { tolerated_.insert(label); }
  // The operation its process is in was proven not to wait for its partner. False: it has not
  // returned.
  bool relax(Rank);
  // A wildcard took a message that by the rules was not sent yet. So its sender did not wait in the
  // operation it is in; and where all wait, the receive would have taken one of the other sends,
  // so these need not wait once they have returned.
  void forgive(const Unexpected&);

  // Several nodes ------------------------------------------------
  void receive(int from, Message);
  bool work();  // handles one message; false: there is none

  // On the root: asks all nodes what blocks whom; the answer comes once they have stood still.
  void request_snapshot(View view = {});
  std::optional<Snapshot> take_snapshot() { return std::exchange(result_, std::nullopt); }

  // How many of its operations the rules have led past.
  Index position(Rank rank) const { return track(rank).position; }
  Index fed(Rank rank) const { return track(rank).next; }
  // Operations of the process that it has called and that the rules have not led past.
  std::size_t lag(Rank rank) const { return static_cast<std::size_t>(fed(rank) - position(rank)); }
  // What is kept of it: these, requests, and messages that nobody has taken.
  std::size_t kept(Rank rank) const { return track(rank).kept; }
  const Op* current(Caller caller) const {  // nullptr: it runs
    const Track& t = track(caller.rank);
    return caller.strand < t.strands() ? t.strand(caller.strand).current : nullptr;
  }
  // What its strands are in.
  template <typename F>
  void for_each_current(Rank rank, F&& f) const {
    const Track& t = track(rank);
    for (std::size_t i = 0; i < t.strands(); ++i) {
      if (const Op* op = t.strand(i).current) f(*op);
    }
  }
  // What its loop asks for: operations that have not met their partners, and messages as probes.
  template <typename F>
  void for_each_polled(Rank rank, F&& f) {
    Track& t = track(rank);
    for (const Poll& poll : t.polls) {
      if (poll.envelope) {
        OpState message;
        message.kind = Kind::probe;
        message.rank = rank;
        message.label = poll.label;
        message.envelope = *poll.envelope;
        f(message);
      }
      for (const Index at : poll.parts) {
        if (const Op* part = find(t, at); part != nullptr && !part->fulfilled()) f(*part);
      }
    }
  }
  bool waits(Rank rank) const {  // by the rules, in some operation
    bool some = false;
    for_each_current(rank, [&](const Op&) { some = true; });
    return some;
  }
  // Whether the strand, by what it called last, is inside a call that waits.
  bool inside(Caller) const;
  // An operation that has not met its partner.
  bool pending(Rank rank, Index at) {
    Track& t = track(rank);
    const Op* op = find(t, at);
    return op != nullptr ? !op->met : t.open.contains(at);
  }
  // A request of the process with a wildcard, not completed yet, that has met a message which this
  // receive would take; nullptr: none.
  const Op* taken_by_request(Rank rank, const Envelope& recv) {
    const Op* taker = nullptr;
    for_each_kept(track(rank), [&](const Op& op) {
      if (op.kind == Kind::recv && op.wildcard && op.met &&
          Inbox::accepts(recv, {op.envelope.comm, op.source, rank, op.tag}))
        taker = &op;
    });
    return taker;
  }
  // The matched probe that has taken this message, of which nobody has received it; nullptr: none,
  // or it is elsewhere.
  const Op* claim_of(const OpState& send) {
    return send.claimed ? find(send.envelope.dest, send.took) : nullptr;
  }
  // It, or one of its parts, has not got what a schedule decided.
  static bool awaits_decision(const Op&);
  // Its active sends and receives, and those to it, that have not met a partner.
  template <typename F>
  void for_each_open(F&& f) const {
    inbox_.for_each(f);
  }
  std::size_t operations() const {
    return ops_.live() - inbox_.batches() + static_cast<std::size_t>(inbox_.in_batches());
  }
  std::uint64_t resting() const { return inbox_.resting(); }
  // Messages of which only their number is known, since more than may be were at rest.
  std::uint64_t forgotten() const { return forgotten_; }
  std::size_t messages_sent() const { return sent_; }

 private:
  struct Poll {
    Label label;
    std::vector<Index> parts;
    std::optional<Envelope> envelope;
    bool all = true;
    bool operator==(const Poll&) const = default;
  };
  static constexpr std::size_t kPolls = 16;  // different ones of a process
  struct Strand {
    Op* current = nullptr;  // the operation it is active in; nullptr: it runs
    Op* last = nullptr;     // called last; only while there is a current one
  };
  struct Track {
    bool mine = false, ended = false, ignored = false, finalizing = false;
    // It has threads that are not in its strands' operations; they may act.
    bool watched = false, outside = false;
    Index base = 0, position = 0, next = 0;
    Strand first;
    std::vector<std::unique_ptr<Strand>> more;
    std::size_t kept = 0;
    std::vector<Op*> window;  // a ring: operations base .. next - 1; nullptr: done with
    std::size_t mask = 0;
    FlatMap<Index, Op*> old;  // below base
    IndexSet open;            // messages at rest: their operations are not kept
    std::vector<Poll> polls;
    bool polls_unknown = false;
    Index stood = ~Index{0};     // where the previous state showed it blocked
    Index told = 0;              // what had been called by then
    std::vector<Index> relaxed;  // operations it was let go on from
    Op*& slot(Index at) { return window[at & mask]; }
    Op* slot(Index at) const { return window[at & mask]; }
    std::size_t strands() const { return more.size() + 1; }
    Strand& strand(std::size_t i) { return i == 0 ? first : *more[i - 1]; }
    const Strand& strand(std::size_t i) const { return i == 0 ? first : *more[i - 1]; }
    void skip_forgotten() {
      while (base < next && slot(base) == nullptr) ++base;
    }
  };
  struct Gathering {
    CommId comm = 0;
    std::uint64_t wave = 0;
    std::vector<Op*> ops;  // of this node, active
    std::uint64_t below = 0;
    bool told = false;
    bool spare = false;  // it is none
  };
  struct WaveKey {
    CommId comm;
    std::uint64_t wave;
    bool operator==(const WaveKey&) const = default;
  };
  struct WaveHash {
    std::uint64_t operator()(const WaveKey& k) const { return scatter(scatter(k.comm) + k.wave); }
  };
  // How many members of a communicator are here, below in the tree, and in all.
  struct Share {
    std::uint64_t here = 0, below = 0, total = 0;
  };

  Track& track(Rank rank) {
    const auto i = static_cast<std::size_t>(rank);
    return i < tracks_.size() && tracks_[i] != nullptr ? *tracks_[i] : new_track(rank);
  }
  const Track& track(Rank) const;
  Track& new_track(Rank);
  Op* make(Caller caller, wait::Kind kind, Label label, bool blocks) {
    Op* op = ops_.take();
    op->renew();
    op->rank = caller.rank;
    op->strand = caller.strand;
    op->kind = kind;
    op->label = label;
    op->blocks = blocks;
    op->lenient = buffering_.mode == Buffering::Mode::as_run ||
                  (!tolerated_.empty() && tolerated_.contains(label));
    return op;
  }
  template <typename F>
  static void for_each_kept(Track& t, F&& f) {
    for (Index i = t.base; i < t.next; ++i)
      if (const Op* op = t.slot(i)) f(*op);
    t.old.for_each([&](Index, const Op* op) { f(*op); });
  }
  Index append(Op*);
  Index append(Track&, Op*);
  Messages* plain_queue(const Track&, const Caller&, Kind, const Envelope&);
  Index pass_at_once(Track&, Op* partner);
  void begin(Track&, Op*, Messages*, Op* partner);
  static void make_room(Track&);
  static bool in_order(const Track&);
  Op* find(Rank rank, Index at) { return find(track(rank), at); }
  static Op* find(Track& t, Index at) {
    if (at >= t.next) return nullptr;
    return at >= t.base ? t.slot(at) : find_old(t, at);
  }
  static Op* find_old(Track&, Index);
  void activate(Op*);
  void pass(Track&, Strand&, Op*);
  void advance(Track&);
  void advance(Track&, Strand&);
  void drain();
  void pass_on(const Op& send);
  void meet(Op* send, Op* recv);
  void take_meetings();
  void tell_met(const Op& send);
  void keep_promise(Op* send);
  void give_back(Op* recv);
  static Rank sender_of(const Op& recv) {
    return recv.wildcard ? recv.source : recv.envelope.source;
  }
  void unclaim(const Op& probe);
  void claim_for(Op* probe, Op* send);
  void receive_claimed(const Op& receipt);
  Op* make_message(Rank, Index, const Envelope&);  // of a send that is elsewhere, or past
  void fulfilled(Op*);                             // has just become so
  void forget_if_done(Op*);
  void forget_if_done(Op*, Track*);
  void forget(Op*);
  void forget(Track&, Op*);
  void take_out(const Op&);  // of its process's operations
  static void take_out(Track&, const Op&);
  // Messages at rest (rest.cc).
  void rest(Op*);
  void lay_down(Op&);
  void forget_oldest();
  void was_received(Rank, Index);
  void wake(Rank, std::vector<Index>);

  Gathering* gathering(CommId comm, std::uint64_t wave) {
    const Gathering* latest = gathered_last_;
    if (latest == nullptr || latest->wave != wave || latest->comm != comm || latest->spare)
      gathered_last_ = find_gathering(comm, wave);
    return gathered_last_;
  }
  Gathering* find_gathering(CommId, std::uint64_t wave);
  const Share& share(CommId);
  void look_at(Gathering*);
  void complete(Gathering*);
  void forgive_offers(Rank receiver);
  void be_lenient(Op*);

  bool local(Rank rank) const { return layout_.nodes == 1 || layout_.owner(rank) == id_; }
  void tell(int node, Message);
  void handle(int from, const Message&);
  void stand_still();
  void ack_if_quiet();
  void gather_waits(View);
  void waits_if_complete();

  Snapshot describe(View);
  static bool inside(const Strand&);
  static bool inside(const Track&);
  static bool finished(const Track&);
  struct Need {
    bool could = false;  // it could be met in this state, or nobody knows
    Term term;
  };
  Term any_of(const Envelope&) const;
  struct Look {
    View view;
    Inbox::Offers offers;
    Snapshot& snapshot;
  };
  static const Envelope& asked_of(const Op&, View);
  Need need_of(const Op&, const Look&) const;
  std::optional<Blocked> blocked_in(Op*, Look&) const;
  // What its strands wait for; nothing: one of them can act.
  std::vector<Blocked> blocked_strands(const Track&, Look&) const;
  std::optional<Blocked> blocked_polling(Rank, const Poll&, Look&);
  std::optional<Blocked> blocked_polling(Rank, const Track&, Look&);
  void add_poll(Rank, Poll);
  bool add_terms(std::span<Op* const> parts, Look&, Blocked&) const;
  struct Choice {
    std::vector<Wanted> wanted;
    std::vector<Arrived> there;
  };
  std::optional<Choice> choice_of(CommId, Rank, std::span<const Op* const> needed,
                                  const Look&) const;
  bool leaves_one(const Messages&, const Look&) const;

  const int id_;
  const Layout layout_;
  Network* const network_;
  const Buffering buffering_;
  Groups groups_;
  std::set<Label> tolerated_;
  std::vector<std::unique_ptr<Track>> tracks_;  // by rank
  RestLimits limits_;
  Pool<Op> ops_;
  std::uint64_t largest_ = 0;  // message, in bytes
  Inbox inbox_{ops_};
  std::uint64_t forgotten_ = 0;  // ever
  std::vector<Inbox::Meeting> met_;
  std::vector<Rank> ready_;
  // Messages that matched probes have taken and nobody has received, by receiver and sender.
  std::map<std::pair<Rank, Rank>, std::size_t> claimed_;
  const Strand* advancing_ = nullptr;  // sees by itself that it may go on
  bool draining_ = false;
  FlatMap<WaveKey, Gathering*, WaveHash> waves_;
  std::vector<std::unique_ptr<Gathering>> gatherings_;
  std::vector<Gathering*> spare_gatherings_;  // they keep their memory
  Gathering* gathered_last_ = nullptr;
  std::unordered_map<CommId, Share> shares_;
  CommId shared_ = 0;  // looked at last
  const Share* share_ = nullptr;

  // Several nodes.
  struct Received {
    int from;
    Message message;
  };
  std::deque<Received> urgent_, matching_;
  std::size_t sent_ = 0;
  bool frozen_ = false;
  // Nodes that sends went to. An old send may be answered at any time, so all are asked.
  std::set<int> touched_;
  // What would let operations meet, told while we stand still.
  std::vector<std::function<void()>> deferred_;
  std::vector<int> pings_;  // to be answered once we stand still
  std::size_t pongs_ = 0, acks_ = 0, answers_ = 0;
  bool acked_ = true;
  View view_;  // that is asked for
  Snapshot gathered_;
  std::optional<Snapshot> result_;
};

}  // namespace vouch::wait
