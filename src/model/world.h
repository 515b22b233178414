// The state of the whole program, rebuilt from events alone and changed by World::apply; read by
// every analysis. Analyses write only what they found into the calls and requests that it is about.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/event.h"
#include "model/objects.h"
#include "model/process.h"

namespace vouch {

struct Returned;

// A world that was spawned. Its processes are numbered on behind all that were there before.
struct SpawnedWorld {
  std::uint64_t name = 0;  // LaunchNames::world
  int first = 0, size = 0;
  Site spawned;  // unknown: which call has spawned it is not known, nor who its parents are
  const Members* parents = nullptr;
  const Members* members = nullptr;
};

using Effect = void (*)(const Returned&);

class World {
 public:
  World();
  ~World();

  // A process appears when its first ring does. Its world rank is the launcher's hint until
  // MPI_Init tells.
  Process& add_process(int pid, WorldRank hint);
  // What the launcher calls it; before its first record. A process of a spawned world gets its
  // number among all. True: it is the first one of its world, whose parents are to be found out.
  bool name(Process&, const LaunchNames&);
  // A process that has this name is in the call that has spawned the world of `child`. To be called
  // while it is: before that world is told to go on, and with all of the parent's records read.
  void find_parents(const Process& child);
  const std::vector<SpawnedWorld>& spawned() const { return spawned_; }
  const SpawnedWorld* world_of(const Process&) const;  // nullptr: not a spawned one, or not known
  std::size_t processes() const { return processes_.size(); }
  Process& process(std::size_t i) { return i < kAway ? *processes_[i] : *away_.at(i - kAway); }
  const Process& process(std::size_t i) const {
    return i < kAway ? *processes_[i] : *away_.at(i - kAway);
  }
  // A process of another agent, of which only its rank is known. Its index counts from kAway.
  static constexpr std::size_t kAway = std::size_t{1} << 30;
  Process& away(WorldRank);
  // At the end: all processes of other agents have come to it in an orderly way.
  void end_elsewhere(bool orderly) { orderly_elsewhere_ = orderly; }
  bool orderly_elsewhere() const { return orderly_elsewhere_; }
  int ranks_elsewhere() const;

  // Takes over the effect of a meta record or of the end of a call.
  void apply_meta(Process&, int thread, const Event&);
  // To be called once the analyses saw the enter record. Few calls have an effect before they
  // return: MPI_Finalize runs callbacks while it is open, MPI_Abort does not return, MPI_Start may
  // be followed by another thread's MPI_Pready, and that by MPI_Wait and the next MPI_Start. Of a
  // call that is not held back and that this does not see there is nothing to be taken over.
  static bool sees_enter(Proc proc) {
    switch (proc) {
      case Proc::finalize:
      case Proc::abort:
      case Proc::start:
      case Proc::startall:
      case Proc::pready:
      case Proc::pready_range:
      case Proc::pready_list:
      case Proc::grequest_complete:
        return true;
      default:
        return false;
    }
  }
  void apply_enter(Process& process, Call& call) {
    if (call.held()) [[unlikely]]
      hold(process, call);
    if (!sees_enter(call.proc())) [[likely]]
      return;
    if (call.proc() == Proc::finalize) return begin_finalize(process, call);
    if (call.proc() == Proc::abort) {
      process.aborted = true;
      return;
    }
    begin_request(process, call);
  }
  // Whether a call without a finding does anything to objects.
  bool sees_leave(Proc proc) const { return effects_[static_cast<std::size_t>(proc)] != nullptr; }
  void apply_leave(Process& process, Call& call, const Event& leave) {
    apply(process, call, &leave);
  }
  // A call whose success wrote no leave record: same effect with nothing returned.
  void apply_return(Process& process, Call& call) { apply(process, call, nullptr); }

  const Members* intern(Members);

  // Where the processes are, if several agents watch them; before the first event. By rank: the
  // number of its agent, -1: nobody watches it.
  void spread(int self, std::vector<int> owners);
  bool several() const { return self_ >= 0; }
  int own() const { return self_; }
  int ranks() const { return static_cast<int>(owners_.size()); }  // watched by any agent, or none
  bool here(WorldRank rank) const { return !several() || owner(rank) == self_; }
  int owner(WorldRank rank) const {
    const auto r = static_cast<std::size_t>(rank.value);
    return rank.value >= 0 && r < owners_.size() ? owners_[r] : -1;
  }
  // Some of its processes are not this agent's; nobody watches some of them, or who they are is not
  // known.
  bool apart(const Communicator& c) const {
    return several() && (c.inter() || c.members == nullptr || c.members->away || c.members->unseen);
  }
  bool unseen(const Communicator& c) const {
    return several() && (c.inter() || c.members == nullptr || c.members->unseen);
  }
  // The graph of communicator `id`, as long as a communicator has it.
  std::shared_ptr<Graph> graph_of(std::uint64_t id);
  int size() const { return size_; }  // of MPI_COMM_WORLD, 0 while unknown
  int all() const;                    // the same, and the spawned worlds that are known

  // The two groups of an inter-communicator know different halves of its identity; the leaders'
  // calls join them.
  std::uint64_t inter_id(std::uint64_t half) const;
  void join_halves(std::uint64_t half, std::uint64_t id);
  void await_join(std::uint64_t half);  // its leader's call has not been seen yet
  // This identity is still to come: it is another one once that call has been seen.
  bool awaits(std::uint64_t id) const { return awaits_some() && awaited_.contains(id); }
  bool awaits_some() const { return !awaited_.empty(); }
  // Identity of what is made from a communicator. If the parent's own identity is still to come,
  // this one follows it.
  std::uint64_t derive(std::uint64_t parent, std::uint64_t step);

 private:
  void apply(Process&, Call&, const Event* leave);
  static void begin_finalize(Process&, Call&);
  static void hold(Process&, const Call&);
  void begin_request(Process&, Call&);
  static bool complete(const Event& meta);
  void number_on(Process&) const;
  std::vector<std::unique_ptr<Process>> processes_;
  int size_ = 0;
  std::uint64_t home_ = 0;  // LaunchNames::world of the world that nobody spawned
  int told_size_ = 0;       // its size, as the launcher says
  std::vector<SpawnedWorld> spawned_;
  std::unordered_map<std::size_t, std::unique_ptr<Process>> away_;  // by rank
  bool orderly_elsewhere_ = false;
  int self_ = -1;  // number of this agent, -1: the only one
  std::vector<int> owners_;
  const Effect* effects_;  // by Proc; nullptr: none
  static constexpr std::size_t kInterKept = 65536;
  std::unordered_map<std::uint64_t, std::uint64_t> inter_ids_;  // half -> whole
  std::deque<std::uint64_t> inter_order_;                       // halves, oldest first
  struct Derived {
    std::uint64_t step, id;
  };
  std::unordered_map<std::uint64_t, std::vector<Derived>>
      awaited_;  // halves without a whole, and what was made from them
  std::unordered_map<std::uint64_t, std::weak_ptr<Graph>> graphs_;
  struct Interned;
  std::unique_ptr<Interned> interned_;
};

}  // namespace vouch
