// What a call that returned did to the objects of its process.
//
// Effects attach to families, flags and kinds of the API table; a procedure is named only where it
// differs from its kind. A failed call has no effect, except on requests and messages that the
// library took [U54].

#pragma once

#include "base/hash.h"
#include "model/world.h"

namespace vouch {

struct Returned {
  World& world;
  Process& process;
  Call& call;
  Event enter;
  const Event* leave;  // nullptr: success that wrote no record

  const ProcInfo& info() const { return call.info(); }
  bool ok() const { return leave == nullptr || leave->error_class() == 0; }
  int param(Arg name) const { return info().param(name); }
  std::int64_t value(Arg name) const { return enter.value(param(name)); }
  std::uint64_t handle(Arg name) const { return enter.handle(param(name)); }
  std::vector<std::int64_t> list(Arg name) const;
  // Value of the first recorded output of that kind; `otherwise` if nothing was recorded.
  std::int64_t output(Kind, std::int64_t otherwise) const;
};

const Effect* effects();  // by Proc; nullptr: none

// What is so from the moment of the call, since another thread may act on it before the call has
// returned: a started request, of which that thread marks partitions ready; a partition that is
// ready and a generalized request that is complete, which let that thread's MPI_Wait return, and
// start or make the next one under the same handle.
void begin_start(const Returned&);
void begin_pready(const Returned&);
void begin_grequest_complete(const Returned&);

// The groups of effects; each gives its effect for the procedure or nullptr.
Effect request_effect(Proc);
Effect comm_effect(Proc);
Effect group_effect(Proc);
Effect type_effect(Proc);
Effect file_effect(Proc);
void make_request(const Returned&);
// What becomes of the requests of a call that had a finding follows from it [U51].
void spoil_requests(Process&, const Call&, bool failed);

// The object a constructor returned under this handle, to be filled in; nullptr if the handle is
// null or predefined. A value that is live already is a second handle to the same object where
// libraries count references.
template <typename T>
T* born(const Returned& r, Table<T>& table, Kind kind, std::uint64_t raw, bool counted = false) {
  if (r.process.is_null(kind, raw) || r.process.constant_of(kind, raw) != Constant::none)
    return nullptr;
  if (counted) {
    if (T* twin = table.find(raw)) {
      ++twin->refs;
      return nullptr;
    }
  }
  T& object = table.insert(raw);
  object.made = r.call.site();
  object.made_by = r.call.proc();
  object.poisoned = r.call.poisoned;
  if (r.leave != nullptr) object.born = r.leave->seq();
  if (r.call.broken) object.blamed = r.call.site();
  return &object;
}

template <typename T>
void died(const Returned& r, Table<T>& table, std::uint64_t raw) {
  T* object = table.find(raw);
  if (object == nullptr || object->predefined() || object->born_during(r.call.seq())) return;
  if (--object->refs == 0) table.erase(raw, r.call.site(), r.call.proc());
}

bool is_spawn(Proc);
// Identity of the communicator between a spawned world and its parents.
std::uint64_t between(const SpawnedWorld&);

// Whether the list of members is not out of proportion to what it takes to say who they are: a few
// words of a damaged record can speak of a million ranks.
bool listable(const Members&);
Members first_of(const Members&, int count);
// The first member of `some`, processes of other worlds aside, that is not in `all`; value -1:
// none. Misses: beyond the first 16,384 of a run that no single run of `all` holds.
WorldRank first_outside(const Members& some, const Members& all);

}  // namespace vouch
