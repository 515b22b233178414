// From acts to operations of the mailroom: which sends, receives and probes a process has posted,
// and what became of them.
//
// What a call does is read by src/act. An operation is decided when its call has returned, or when
// its request is complete. A failed one takes no part (but MPI_ERR_TRUNCATE has consumed its
// message).
//
// Misses: the order in which threads of one process post on one communicator is that of their
// records, which the library may have seen otherwise.

#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include "act/act.h"
#include "base/flat_map.h"
#include "event/plan_table.h"
#include "match/mailroom.h"
#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

class P2p {
 public:
  P2p(World& world, Clocks& clocks);
  void observe(MatchObserver* o) { mailroom_.observe(o); }

  bool sees_enter(Proc proc) const { return sees_[static_cast<std::size_t>(proc)].enter; }
  bool sees_leave(Proc proc) const { return sees_[static_cast<std::size_t>(proc)].leave; }
  // After the analyses of the single call, before the model.
  void enter(Process&, Call&, std::span<const Act>);
  void leave(Process&, Call&, const Event& leave, std::span<const Act>);
  // Meta::decided: a schedule says what the thread's open call takes.
  void decided(Process&, int thread, const Event& meta);
  // All processes are gone. First each agent says what became of what is still open, then what met
  // nobody is told.
  void close();
  void settle();

  std::uint64_t left_alone() const {
    return std::accumulate(left_alone_.begin(), left_alone_.end(), std::uint64_t{0});
  }
  const Mailroom& mailroom() const { return mailroom_; }
  Mailroom& mailroom() { return mailroom_; }

 private:
  struct Sees {
    bool enter = false, leave = false;
  };
  // What an OperationKey stands for here. MPI_Sendrecv has both.
  struct Pair {
    Operation* send = nullptr;
    Operation* recv = nullptr;
    bool pattern = false;  // never posted: what each start copies
  };
  struct Open {            // of a blocking call
    OperationKey key = 0;  // 0: none
    Pair pair;
  };
  // Calls that have not returned. Without threads and callbacks there is one.
  class OpenCalls {
   public:
    void add(OperationKey key, const Pair& pair) {
      if (first_.key != 0) [[unlikely]]
        return more_.push_back({key, pair});
      first_ = {key, pair};
    }
    Pair* find(OperationKey key) {
      if (first_.key == key && key != 0) return &first_.pair;
      for (Open& open : more_)
        if (open.key == key) return &open.pair;
      return nullptr;
    }
    void erase(OperationKey key) {
      if (first_.key == key) {
        first_.key = 0;
      } else {
        std::erase_if(more_, [&](const Open& open) { return open.key == key; });
      }
    }
    // In the order of their keys.
    std::vector<Open> take_all();

   private:
    Open first_;
    std::vector<Open> more_;
  };
  struct Given {  // what a schedule decided for what is not posted yet
    OperationKey key = 0;
    int source = -1, tag = -1;
  };
  struct Local {
    std::uint64_t comm = 0;  // handle of the latest port
    Port* port = nullptr;
    OpenCalls open;
    FlatMap<OperationKey, Pair> pending;         // their requests are not complete
    FlatMap<OperationKey, Operation*> messages;  // matched by a probe, not received yet
    std::vector<Given> given;
    std::vector<Operation*> orphans;  // their requests were freed before their fate was known
  };

  static Sees make_sees(Proc);
  Port* port(const Process&, Local&, std::uint64_t comm);
  Port* find_port(const Process&, Local&, std::uint64_t comm);
  // nullptr: to or from MPI_PROC_NULL, or on a communicator that is not known.
  Operation* make(const Process&, Local&, const Call&, const Act&, Role);
  Pair make_both(const Process&, Local&, const Call&, const Act&);
  void post(const Process&, Local&, const Call&, const Act&);
  void prepare(const Process&, Local&, const Call&, const Act&);
  void start(Local&, const Call&, const Act&);
  void returned(Local&, const Call&, const Act&);
  void completed(const Process&, Local&, const Act&);
  void receive(const Process&, Local&, const Call&, const Act&);
  void free(Local&, const NamedPart&);
  void let_go(Local&, Operation*);
  void withdraw(Local&, OperationKey);
  void comms_changed(Process&, Call&, const Event&);
  void give(Local&, const Operation*, OperationKey);
  void note_truncated(const Process&, Local&);
  void conclude(Operation*, const Act&, const wire::Status*);
  static Pair* find(Local&, OperationKey);
  static Pair take(Local&, OperationKey);  // both nullptr: it is not there

  World& world_;
  Clocks& clocks_;
  Mailroom mailroom_;
  const std::vector<Sees>& sees_ = plan_table<make_sees>();
  PerProcess<Local> locals_;
  std::unordered_map<std::uint64_t, Mailroom::Hint> hints_;  // by position, until it is complete
  bool joined_ = false;  // identities of communicators may have changed since the last look
  // Operations on communicators whose members are not all known and seen, by why.
  std::array<std::uint64_t, static_cast<std::size_t>(Hidden::count_)> left_alone_{};
};

}  // namespace vouch
