#include "analysis/argument/attributes.h"

namespace vouch {
namespace {

bool duplicates(Proc base) {
  return base == Proc::comm_dup || base == Proc::comm_dup_with_info || base == Proc::comm_idup ||
         base == Proc::comm_idup_with_info || base == Proc::type_dup;
}

// Parameter of a communicator, datatype or window, -1 if there is none.
int object(const ProcInfo& about, Dir dir) {
  for (const Kind kind : {Kind::comm, Kind::datatype, Kind::win}) {
    if (const int p = about.first(kind, dir); p >= 0) return p;
  }
  return -1;
}

// The live object with this handle.
const Object* now_at(const Process& process, Kind kind, std::uint64_t raw) {
  switch (kind) {
    case Kind::comm:
      return process.comms.find(raw);
    case Kind::datatype:
      return process.datatypes.find(raw);
    case Kind::win:
      return process.windows.find(raw);
    default:
      return nullptr;
  }
}

}  // namespace

bool AttributeHolders::wants(const ProcInfo& about) {
  return about.family == Family::attribute || duplicates(about.base) ||
         (about.has(kDestructor) && object(about, Dir::inout) >= 0);
}

void AttributeHolders::learn(const Process& process, const Call& call, const Event& leave) {
  const ProcInfo& about = call.info();
  const Event enter = call.enter();
  Holders& mine = holders_[process];
  if (about.family != Family::attribute) {
    if (mine.empty()) return;
    if (!duplicates(about.base)) {  // freed
      const int freed = object(about, Dir::inout);
      const std::uint64_t gone = enter.handle(freed);
      const Object* now = now_at(process, about.params[static_cast<std::size_t>(freed)].kind, gone);
      if (now != nullptr && now->born_during(call.seq())) return;
      for (auto& [keyval, objects] : mine) objects.erase(gone);
      return;
    }
    const std::uint64_t from = enter.handle(object(about, Dir::in));
    const auto to = static_cast<std::uint64_t>(leave.result(object(about, Dir::out)));
    for (auto& [keyval, objects] : mine) {
      if (objects.contains(from)) objects.insert(to);
    }
    return;
  }
  const ProcInfo& base = info(about.base);
  if (base.is(Trait::sets_attribute)) {
    mine[enter.handle(about.first(Kind::keyval, Dir::in))].insert(
        enter.handle(object(about, Dir::in)));
  } else if (base.is(Trait::deletes_attribute)) {
    if (const auto found = mine.find(enter.handle(about.first(Kind::keyval, Dir::in)));
        found != mine.end())
      found->second.erase(enter.handle(object(about, Dir::in)));
  } else if (about.has(kConstructor)) {
    // A new keyval may have the value of one that is gone.
    mine.erase(static_cast<std::uint64_t>(leave.result(about.first(Kind::keyval, Dir::out))));
  }
}

bool AttributeHolders::any(const Process& process, std::uint64_t keyval) const {
  const Holders* its = holders_.find(process);
  if (its == nullptr) return false;
  const auto found = its->find(keyval);
  return found != its->end() && !found->second.empty();
}

}  // namespace vouch
