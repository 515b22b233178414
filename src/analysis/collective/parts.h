// Constructors that only some members of a communicator call [U62]: those of the group
// in MPI_Comm_create_group, the two leaders in MPI_Intercomm_create.
//
// They are no waves: whom a call meets follows from what it says. A group meets under the same
// communicator, tag and members, whatever their order, as often as before; leaders meet under the
// same communicator and tag if they name each other. What has met is compared at once; at the end
// those that mean each other and wait in vain are reported. Leaders that mean somebody else are in
// a deadlock, if at all.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "model/per_process.h"

namespace vouch {

class PartConstructors : public Analysis {
 public:
  PartConstructors(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc proc) const override {
    return {.enter = proc == Proc::comm_create_group || proc == Proc::intercomm_create,
            .leave = false};
  }
  void on_enter(Process&, Call&) override;
  // Nobody that waits here will go on: at the end of the run, or when ranks are stuck for good.
  void tell_in_vain();
  void finish() override { tell_in_vain(); }

 private:
  struct Caller {
    std::uint32_t process = 0;
    std::uint32_t seq = 0;
    Place place;
    const Members* group = nullptr;  // as it names it; a leader: its own
    int names = -1;                  // a leader: the world rank of the other
  };
  struct Meeting {
    std::uint64_t key = 0, comm = 0;
    std::int64_t tag = 0;
    const Members* members = nullptr;  // of the group, sorted; of leaders: none
    std::vector<Caller> callers;
  };
  using Meetings = std::map<std::uint64_t, Meeting>;

  void create_group(Process&, Call&);
  void not_compared(const Call&, const char* why);
  void leader(Process&, Call&);
  Meeting& meeting(Meetings&, const Process&, std::uint64_t key);
  void same_group(const Meeting&);
  void disjoint(const Meeting&);
  void groups_in_vain();
  void leaders_in_vain();
  static std::string leaders_differ(const Meeting&, const Caller&, const Meeting&, const Caller&);
  bool waits(const Caller&) const;
  bool known(const Caller&, const Caller&);
  void told(const Caller&, const Caller&);
  void tell(std::string message, const Caller&, const Caller&, Cause why = Cause::none);
  void blame(const Caller&) const;

  Meetings groups_, leaders_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_;               // calls: process, seq
  PerProcess<std::unordered_map<std::uint64_t, std::uint64_t>> before_;  // like it
};

}  // namespace vouch
