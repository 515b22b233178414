// Use of requests and matched messages by one process.
//
// Every request, message and partition argument is held against what the model knows of the object
// before the call: a handle that is null where that is not allowed or whose object is gone, and a
// state or kind the call is not defined for [U61]. What needs the partner of a
// communication is left to matching.

#pragma once

#include <set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/damage.h"
#include "event/plan_table.h"

namespace vouch {

class RequestUse : public Analysis, public DamageUser {
 public:
  RequestUse(World& world, Sink& sink);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;

 private:
  // What a procedure does with its request or message; from the table of procedures, once.
  enum class Use : std::uint8_t {
    none,
    look,
    complete_one,
    complete_many,
    start,
    free,
    cancel,
    pready,
    parrived,
    grequest_complete,
    receive_message,
    precv_init
  };
  struct Plan {
    Use use = Use::none;
    int param = -1;  // the request, or the message
  };
  static Plan plan(Proc);

  // No live request has the handle that entry `index` of the argument is: says what is wrong with
  // it.
  void missing(Process&, Call&, std::uint64_t raw, int index, bool null_allowed);
  void many(Process&, Call&, int param, Use);
  void one(Process&, Call&, const Request&, Use);
  void start(Process&, Call&, const Request&, int index);
  void free(Process&, Call&, const Request&);
  void cancel(Process&, Call&, const Request&);
  void pready(Process&, Call&, const Request&);
  void parrived(Process&, Call&, const Request&);
  void not_one(Process&, Call&, Cause, const Request&, const char* kind);
  void out_of_range(Process&, Call&, const Request&, std::int64_t partition);
  void ready_twice(Process&, Call&, const Request&, std::int64_t partition, const char* how);
  void grequest_complete(Process&, Call&, const Request&);
  void receive_message(Process&, Call&, int param);
  void precv_init(Process&, Call&);

  const std::vector<Plan>& plans_ = plan_table<plan>();
  std::set<Site> startalls_;  // where requests are started by MPI_Startall
  Place started_place(const Process&, const Request&) const;
  struct Entry {
    std::uint64_t raw;
    int index;
    int live;  // requests that have this handle
  };
  std::vector<Entry> entries_;  // scratch of many()
};

}  // namespace vouch
