// From calls to operations: which sends, receives and probes a process has posted, and what became
// of them.
//
// A blocking call is posted when it is entered, since it may never return, and decided when it has
// returned. A nonblocking or started one is posted when its call has returned and decided when its
// request is complete. A poisoned call is posted when it has returned with success: the library
// took it. A failed one takes no part (but MPI_ERR_TRUNCATE has consumed its message).
//
// Misses: the order in which threads of one process post on one communicator is that of their
// records, which the library may have seen otherwise.

#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "event/plan_table.h"
#include "match/flat_map.h"
#include "match/mailroom.h"
#include "model/world.h"

namespace vouch {

class P2p {
 public:
  P2p(World& world, Clocks& clocks);
  void observe(MatchObserver* o) { mailroom_.observe(o); }

  bool sees_enter(Proc proc) const { return plan(proc).enter; }
  bool sees_leave(Proc proc) const { return plan(proc).leave; }
  // After the analyses of the single call, before the model.
  void enter(Process&, Call&);
  void leave(Process&, Call&, const Event& leave);
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
  enum class Do : std::uint8_t {
    nothing,
    post,
    look,
    probe,
    receive_message,
    complete_one,
    complete_many,
    start,
    startall,
    cancel,
    free,
    change_comms,
    join
  };
  // What a procedure does, and in which words of its enter record it says so; from the table, once.
  struct Side {
    std::int8_t count = -1, type = -1, peer = -1, tag = -1;
  };
  struct Plan {
    Do what = Do::nothing;
    bool enter = false, leave = false;
    bool sends = false, receives = false, persistent = false;
    SendMode mode = SendMode::standard;
    Side send, recv;
    std::int8_t comm = -1, partitions = -1;
    // Parameters.
    std::int8_t request = -1, requests = -1, status = -1, statuses = -1, flag = -1, message = -1,
                index = -1, indices = -1, outcount = -1;
  };
  // A request that is not complete. Of a persistent one `op` is a pattern that each start copies
  // and `also` the started one.
  struct Pending {
    Operation* op = nullptr;
    Operation* also = nullptr;  // MPI_Isendrecv: the send
    bool persistent = false;
  };
  struct Open {
    std::uint32_t seq = 0;
    Operation* send = nullptr;
    Operation* recv = nullptr;
  };
  struct Given {  // what a schedule decided for a call that has posted nothing yet
    std::uint32_t seq = 0;
    std::uint64_t place = 0;  // in an MPI_Startall
    int source = -1, tag = -1;
  };
  struct Local {
    std::uint64_t comm = 0;  // handle of the latest port
    Port* port = nullptr;
    std::vector<Open> open;  // blocking calls; several if there are threads or callbacks
    FlatMap<std::uint64_t, Pending> requests;
    FlatMap<std::uint64_t, Operation*> messages;
    std::vector<Given> given;
    std::vector<Operation*> orphans;  // their requests were freed before their fate was known
  };

  static Plan make_plan(Proc);
  const Plan& plan(Proc proc) const { return plans_[static_cast<std::size_t>(proc)]; }
  Local& local(const Process& process) {
    if (process.index >= locals_.size()) [[unlikely]]
      locals_.resize(process.index + 1);
    return locals_[process.index];
  }
  Port* port(const Process&, Local&, std::uint64_t comm);
  // nullptr: to or from MPI_PROC_NULL, or on a communicator that is not known.
  Operation* make(const Process&, Local&, const Call&, const Plan&, Role);

  void post_both(Process&, Call&, const Plan&, Open&);
  void leave_post(Process&, Call&, const Plan&, const Event&);
  void leave_probe(Process&, Call&, const Plan&, const Event&);
  void hold(Process&, Local&, const Plan&, const Event&, const Open&);
  void keep(Process&, Local&, std::uint64_t request, const Pending&);
  void receive_message(Process&, Call&, const Plan&);
  void leave_message(Process&, Call&, const Plan&, const Event&);
  void complete_one(Process&, Call&, const Plan&, const Event&);
  void complete_many(Process&, Call&, const Plan&, const Event&);
  void completed(Process&, Local&, std::uint64_t request, const wire::Status*, int error);
  void start(Process&, Call&, std::uint64_t request, std::uint64_t place);
  void free(Local&, std::uint64_t request);
  void comms_changed(Process&, Call&, const Event&);
  static void mark(const Call&, const Open&);
  void give(Local&, const Operation&, std::uint32_t seq, std::uint64_t place);
  void note_truncated(const Process&, Local&);
  void conclude(Operation*, const wire::Status*);
  static Open take_open(Local&, std::uint32_t seq);  // both nullptr: it is not there

  World& world_;
  Clocks& clocks_;
  Mailroom mailroom_;
  const std::vector<Plan>& plans_ = plan_table<make_plan>();
  std::vector<Local> locals_;
  std::unordered_map<std::uint64_t, Mailroom::Hint> hints_;  // by position, until it is complete
  bool status_seen_ = false, polled_ = false;                // by the completing call at hand
  bool joined_ = false;  // identities of communicators may have changed since the last look
  // Operations on communicators whose members are not all known and seen, by why.
  std::array<std::uint64_t, static_cast<std::size_t>(Hidden::count_)> left_alone_{};
};

}  // namespace vouch
