#include "analysis/argument/null_origins.h"

namespace vouch {
namespace {

// Handles that are null at times; those of requests and messages are so all the time.
bool counts(const Param& p) {
  switch (p.kind) {
    case Kind::comm:
    case Kind::group:
    case Kind::datatype:
    case Kind::op:
    case Kind::win:
    case Kind::file:
    case Kind::info:
    case Kind::errhandler:
    case Kind::session:
      return !p.is_array();
    default:
      return false;
  }
}

}  // namespace

bool NullOrigins::wants(const ProcInfo& about) {
  for (const Param& p : about.params) {
    if (!counts(p)) continue;
    if (p.dir == Dir::out && p.leave_word >= 0) return true;
    if (p.dir == Dir::inout && about.has(kDestructor)) return true;
  }
  return false;
}

void NullOrigins::learn(const Process& process, const Call& call, const Event& leave) {
  const ProcInfo& about = call.info();
  for (int i = 0; i < static_cast<int>(about.params.size()); ++i) {
    const Param& p = about.params[static_cast<std::size_t>(i)];
    if (!counts(p)) continue;
    const bool freed = p.dir == Dir::inout && about.has(kDestructor);
    const bool none = p.dir == Dir::out && p.leave_word >= 0 &&
                      process.is_null(p.kind, static_cast<std::uint64_t>(leave.result(i)));
    if (!freed && !none) continue;
    const auto [at, is_new] =
        origins_.try_emplace({process.index, p.kind}, Origin{call.site(), call.proc(), false});
    if (!is_new && at->second.site != call.site()) at->second.several = true;
  }
}

const NullOrigins::Origin* NullOrigins::only(const Process& process, Kind kind) const {
  const auto found = origins_.find({process.index, kind});
  return found == origins_.end() || found->second.several ? nullptr : &found->second;
}

}  // namespace vouch
