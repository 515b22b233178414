// From calls to what the wait-state engine follows.
//
// A blocking call is told when it is entered, since it may never return; one that makes a request
// when it has returned. What a call says is decoded at once into an Action; usually that is applied
// at once, too. Only on an inter-communicator, or one made from it, it may have to wait: its two
// groups know different halves of its identity until the leaders' calls have been seen. Then what
// the process does later waits behind it, and the process counts as running.
//
// Under MPI_THREAD_MULTIPLE each thread that calls MPI is a strand of its own. Below that level the
// calls of all threads are one sequence, as the program must order them.
//
// Left out, so that nobody seems to wait for it: communicators with members that are not seen,
// processes that are inside two calls at once where their level forbids it, or whose calls were
// lost, calls within callbacks. A call that has a finding is told when it has returned with
// success: the library took it.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "act/act.h"
#include "base/flat_map.h"
#include "event/plan_table.h"
#include "model/per_process.h"
#include "model/world.h"
#include "wait/node.h"

namespace vouch {

class WaitFeed {
 public:
  WaitFeed(World& world, wait::Node& node);

  static bool sees(Proc);
  static ActListener::WantsActs wants_acts(Proc);
  void enter(Process&, Call&, std::span<const Act>);
  void leave(Process&, Call&, const Event&, std::span<const Act>);
  // Meta::decided: a schedule says what the thread's open call takes or waits for.
  void decided(Process&, int thread, const Event&);
  void end(const Process&);
  // Actions that waited for an identity, where it is known by now; processes that lost calls are
  // not followed any more.
  void flush();

  // Whether threads that are in no call of MPI can make this process act: then they count.
  bool counts_threads(const Process&);
  // They cannot, until something is heard of it. `followed`: what the others are in is known.
  void rests(const Process&, bool rests, bool followed = true);
  bool runs_outside(const Process&) const;     // they can, as far as anybody knows
  bool inside(const Process&, const Thread&);  // its open call is one that waits and is followed

  bool at_rest() const { return waiting_ == 0 && ignored_ == 0; }
  // What a report calls the communicator of an operation: "MPI_COMM_WORLD". "": it has no name.
  std::string name_of(wait::CommId) const;
  bool is(wait::CommId, const Communicator&) const;
  // Who is in a call that waits for a lock, and for whom. Only of this agent's processes.
  void add_locks(wait::Snapshot&) const;
  bool in_lock_call() const;
  // The started partitioned send that this operation waits for to be ready, or the generalized
  // request that it waits for to be completed; nullptr: it is another operation.
  const Request* unready(const Process&, const wait::OpState&);
  // The latest receive with a wildcard that took a message which this one would take.
  struct Taken {
    wait::Label label;
    wait::Envelope message;
    bool any_source = false, any_tag = false;  // of which it asked for
  };
  std::optional<Taken> taken_before(const Process&, const wait::OpState& recv);
  // Processes that are not followed.
  std::uint64_t ignored() const { return ignored_; }

 private:
  // A communicator, also after it was freed.
  struct CommRef {
    std::uint64_t id = 0;
    const Members* members = nullptr;  // nullptr: not to be followed
    bool inter = false;
    Constant constant = Constant::none;  // predefined
    Site made{};
  };
  struct Target {
    bool there = false;
    std::int64_t peer = 0, tag = 0;
    std::uint64_t bytes = 0;
  };
  struct Action {
    enum class What : std::uint8_t {
      message,
      probe,
      collective,
      both_groups,
      completion,
      finalize,
      returned,
      resolve,
      decide,
      withdraw,
      excuse,
      release,
      polls,
      polls_message,
      detach,
      partitions,        // a partitioned send is started: none of its partitions is ready
      ready,             // all of them are
      generalized,       // a generalized request is made
      generalized_done,  // and completed, by its own process
      received,          // a message that a matched probe has taken
    };
    What what = What::message;
    wait::Label label{};
    std::uint64_t key = 0;
    CommRef comm{};
    Target send{}, recv{};
    bool blocks = true, standard = true, synchronous = true, loose = true, all = true;
    bool held = false;       // a request stands for it
    bool imposed = false;    // only a schedule makes the call wait
    bool buffered = false;   // MPI_Bsend and its kin: MPI_Buffer_detach waits for it
    bool claims = false;     // a matched probe: its sender waits until the message is received
    std::uint64_t salt = 0;  // a communicator's other orders: windows, files, partitions, leaders
    std::uint64_t wave = 0;
    wait::Rank leader = -1;  // both_groups: of its own group
  };
  struct Waiting {
    Action action;
    std::uint32_t strand;
    std::vector<std::uint64_t> parts;  // of a completion, or of polls
  };
  static constexpr wait::Index kNone = ~wait::Index{0};
  static constexpr std::uint64_t kLeadersPart = 0xffff, kBothPart = 0xfffe;  // of a call's key
  // Of a call; those of its parts follow.
  static OperationKey call_key(std::uint32_t seq) { return operation_key(seq); }
  struct Entry {  // what a call or request has become
    wait::Index send = kNone, recv = kNone, own = kNone;
    bool asks = false;    // what `recv` takes is not known by its call
    bool claims = false;  // there until the message is received
  };
  // By key. A blocking call is over before the next one: it needs no place in the map.
  class Entries {
   public:
    Entry* find(std::uint64_t key) { return key == latest_ ? &entry_ : map_.find(key); }
    void put(std::uint64_t key, const Entry& entry, bool blocks) {
      if (!blocks || (latest_ != 0 && latest_ != key)) {
        map_[key] = entry;
      } else {
        latest_ = key;
        entry_ = entry;
      }
    }
    void erase(std::uint64_t key) {
      if (key == latest_) {
        latest_ = 0;
      } else {
        map_.erase(key);
      }
    }

   private:
    std::uint64_t latest_ = 0;  // 0: none
    Entry entry_;
    FlatMap<std::uint64_t, Entry> map_;
  };
  // Something whose members call collectives in order.
  struct Order {
    std::uint32_t generation = 0;
    CommRef comm;
    std::uint64_t salt = 0, next = 0;
  };
  struct Started {  // a persistent request
    std::uint64_t raw = 0;
    CommRef comm;
    std::uint64_t salt = 0, next = 0;  // a collective's own order
    bool collective = false, standard = true, synchronous = true, buffered = false;
    Target send, recv;
    wait::Label label;
    std::uint64_t key = 0;        // of the latest start
    std::int64_t partitions = 0;  // of a partitioned send
    std::int64_t unready = 0;     // of them, since the latest start
    std::uint64_t number = 0;     // of that start among those of partitioned sends
  };
  struct Local {
    bool ignored = false, polling = false;
    bool watched = false, outside = false;  // its threads count; they may act
    bool plain = false;                     // it is followed, and its threads do not count
    int inside = -1;                        // thread that is in a blocking call
    std::vector<std::uint32_t> strands;     // by thread, from 1; 0: none yet
    std::uint32_t strand_count = 0;
    std::uint32_t strand = 0;  // whose action is applied
    std::uint32_t waits = 0;   // a call that a schedule makes wait
    struct Decision {
      std::uint32_t call = 0;
      std::int64_t source = 0, tag = 0;
    };
    std::vector<Decision> decisions;  // of calls that make a request, until they return
    wait::Rank rank = -1;
    Entries entries;
    std::unordered_map<std::uint64_t, Order> comms, windows, files;
    std::unordered_map<OperationKey, Started> persistent;  // by pattern
    Occurrences partitioned;  // pairs of a partitioned send and its receive, by envelope
    std::uint64_t partition_starts = 0;
    std::deque<Waiting> waiting;
    std::deque<wait::Index> buffered;  // buffered messages that may not have been received
    std::vector<Taken> taken;          // by envelope; two that share a place: the later one
    std::unordered_map<std::uint64_t, std::uint64_t> group_waves;
    // One-sided synchronisation, by window.
    struct Epoch {
      std::int64_t target = 0;  // kAllTargets: all
      bool exclusive = false, acquired = false;
    };
    struct Sync {
      std::vector<std::uint64_t> exposure, access;  // keys of what the epochs wait for
      std::vector<std::int64_t> targets;            // of the access epoch
      std::vector<Epoch> locks;
    };
    std::unordered_map<std::uint64_t, Sync> syncs;
    struct {  // the lock call that the process is in
      std::uint32_t seq = 0;
      wait::Label label;
      std::uint64_t window = 0;
      std::int64_t target = 0;
    } locking;
    struct {  // the handle used last, as long as no object but requests has changed
      std::uint64_t raw = 0;
      std::uint32_t changes = ~0u;
      CommRef ref;
    } seen;
    struct {  // the communicator of the latest collective, likewise
      std::uint64_t raw = 0;
      std::uint32_t changes = 0;
      Order* order = nullptr;
    } ordered;
    struct {  // the communicator used last
      const Members* members = nullptr;
      std::uint64_t id = 0, salt = 0;
      wait::CommId known = 0;
    } latest;
  };

  struct Plan {
    bool acts = false;  // its calls have acts
    bool asks = false, blocks = false;
  };
  static Plan make_plan(Proc);
  void enter_without_acts(Process&, Call&, Local&);
  void leave_without_acts(Call&, const Event&, bool in_vain, Local&);
  // `usual`: the process does what most do.
  Local* local(const Process&, const Call&, bool usual);
  Local* local_closer(const Process&, const Call&, Local&);
  static std::uint32_t strand_of(const Process&, Local&, int thread);
  void returned(Local&, std::uint64_t key, const Call&, bool sends);
  static CommRef comm_of(const Process&, std::uint64_t raw);
  static const CommRef& comm_of(const Process&, Local&, std::uint64_t raw);
  static wait::Label label_of(const Call& call) {
    return {static_cast<std::uint16_t>(call.proc()), call.site()};
  }
  static std::int32_t wait_tag(std::int64_t tag) {
    return tag == wire::kAnyTag ? wait::kAnyTag : static_cast<std::int32_t>(tag);
  }
  static Target target(const Transfer&);
  static std::uint64_t bytes_of(const Transfer&);
  Action message(const Process&, const Call&, const Act&, Local&);
  void enter_act(Process&, Call&, const Act&, Local&);
  void leave_act(Process&, Call&, const Act&, Local&);

  void enter_collective(Process&, Call&, Local&);
  void leave_collective(Call&, const Event&, Local&);
  // Constructors whose callers name their groups (inter.cc).
  struct Creation;
  void enter_group(Process&, Call&, Local&);
  void enter_two_groups(Process&, Call&, Local&);
  bool create_from_groups(const Process&, const Call&, Local&, Creation&);
  bool create_over_peer(Process&, const Call&, Local&, Creation&);
  bool unfollowed(wait::Rank) const;
  std::uint64_t half_of(const Action&) const;
  bool groups_known(const Action&) const;
  void learn_halves();
  void apply_both_groups(Local&, const Action&);
  // Other calls that wait (epochs.cc).
  static constexpr std::int64_t kAllTargets = -1;
  static bool is_lock_call(CallRole role) {
    return role == CallRole::win_lock || role == CallRole::win_unlock ||
           role == CallRole::win_flush;
  }
  void enter_other(Process&, Call&, Local&);
  void leave_other(Call&, const Event&, Local&);
  static void buffer(Action&);
  void enter_exposure(Process&, Call&, const Order&, Local&);
  void enter_access(Process&, Call&, const Order&, Local&);
  void enter_lock(Process&, Call&, Local&);
  void leave_lock(Call&, const Event&, Local&);
  bool group_of(const Process&, const Call&, const Order&, std::vector<std::int64_t>& peers);
  void wait_for(Local&, const Call&, const std::vector<std::uint64_t>& keys);
  void ask(Local&, const Call&, std::span<const std::uint64_t> keys);
  void apply_detach(Local&, const Action&);
  Order* order(Process&, const Call&, Local&);
  Order* comm_order(const Process&, std::uint64_t raw, Local&);
  void await(const Call&, const Act&, Local&);
  void completed(const Process&, const Call&, const Act&, Local&);
  void asked(const Process&, const Call&, const Act&, Local&);
  void received(const Call&, const Act&, Local&);
  void stop_polling(Local&);
  void posted_late(const Process&, const Call&, const Act&, Local&);
  void returned(const Process&, const Call&, const Act&, Local&);
  static constexpr std::size_t kTaken = 64;
  void note_taken(const Process&, const Call&, Local&, const Act&);
  void note_taken(const Process&, Local&, wait::Label, std::uint64_t comm, std::int64_t source,
                  std::int64_t tag, const wire::Status&);
  void prepare(const Process&, const Call&, const Act&, Local&);
  void start(const Act&, Local&);
  void ready(const Call&, const Act&, Local&);
  void apply_received(Local&, const Action&);
  void apply_own(Local&, const Action&);
  void apply_ready(Local&, const Action&);
  static wait::CommId identity(std::uint64_t whole, bool inter, const Members&, std::uint64_t salt);
  wait::CommId own_comm(const Local&, const Action&);
  wait::Envelope own_envelope(const Local&, const Action&);
  static bool is_generalized(Proc);
  void leave_generalized(const Process&, const Call&, const Event& leave);
  void enter_generalized_done(const Process&, const Call&);
  void decided_match(Process&, Call&, const Event&, Local&);
  void decided_pick(Process&, Call&, const Event&, Local&);

  bool post_plain(const Process&, const Call&, const Act&, Local&);
  void perform(Local& mine, const Action& action) {
    if (mine.waiting.empty() && !action.comm.inter && can_apply(action)) [[likely]]
      return apply(mine, action, {});
    perform(mine, action, {});
  }
  void perform(Local&, const Action&, std::span<const std::uint64_t> parts);
  bool can_apply(const Action&);
  void go_on();
  void give_up(Local&);
  void apply(Local&, const Action&, std::span<const std::uint64_t> parts);
  void apply_message(Local&, const Action&);
  void apply_completion(Local&, const Action&, std::span<const std::uint64_t> parts);
  void finish(Local&, Action::What, std::uint64_t key);  // what only needs the key
  wait::CommId define(Local&, const CommRef&, std::uint64_t salt);
  wait::GroupRef shared_group(const Members* members, const Members* others);
  static constexpr wait::Rank kNobody = -2;  // that we know
  wait::Rank world_rank(const CommRef&, std::int64_t peer) const;
  static wait::Rank world_rank(const Members& members, std::int64_t peer) {
    const int rank = members.world(CommRank{static_cast<int>(peer)}).value;
    return rank < 0 ? kNobody : rank;
  }
  void simple(Local&, Action::What, std::uint64_t key);
  // What a receive or probe took.
  void resolve(Local&, std::uint64_t key, const wire::Status&);
  void took(Local&, std::uint64_t key, std::int64_t source, std::int64_t tag);

  const std::vector<Plan>& plans_ = plan_table<make_plan>();
  World& world_;
  wait::Node& node_;
  PerProcess<Local> locals_;
  struct Sides {
    const Members* group[2] = {nullptr, nullptr};
    bool both() const { return group[1] != nullptr; }
    void add(const Members* members) {
      if (group[0] == nullptr) group[0] = members;
      if (group[0] != members) group[1] = members;
    }
  };
  struct CommName {
    Constant constant = Constant::none;
    Site made{};
  };
  std::unordered_map<wait::CommId, CommName> names_;
  // By identity. A side that was seen under its half is found again once that is joined.
  std::unordered_map<std::uint64_t, Sides> sides_;
  // Communicators with the same members share them.
  std::map<std::pair<const Members*, const Members*>, wait::GroupRef> groups_;
  // A group that creates an inter-communicator, by its own part of the identity, and the creation
  // that its leader has named. Both are kept until all members have come.
  struct Half {
    std::uint64_t creation = 0;  // 0: not to be followed
    wait::Rank other_leader = -1;
    int passed = 0;
  };
  struct Meeting {
    Sides sides;
    int passed = 0;
  };
  struct Named {  // by a leader; a communicator's identity may still be to come
    Action action;
    std::uint64_t peer = 0, step = 0;
    wait::Rank other_leader = -1;
  };
  std::unordered_map<std::uint64_t, Half> halves_;
  std::unordered_map<std::uint64_t, Meeting> creations_;
  std::vector<Named> named_;
  std::set<wait::Rank> given_up_;
  std::size_t waiting_ = 0;
  std::uint64_t ignored_ = 0;
  std::vector<wait::Index> parts_;
  std::vector<std::uint64_t> keys_;  // of a completing call
};

}  // namespace vouch
