// What each procedure means for a trace program; from the API table, once.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "event/event.h"
#include "event/proc.h"
#include "predict/program/ctp.h"

namespace vouch {

struct ProgramPlan {
  enum class Do : std::uint8_t {
    nothing,
    message,  // what it does is in its acts (src/act)
    collective,
    unknown,  // takes part in communication in a way that a trace program cannot show
  };
  Do what = Do::nothing;
  predict::SyncKind sync = predict::SyncKind::all;
};

const ProgramPlan& program_plan(Proc);

// Whether so many elements of the datatype with this handle are any data at all. What is not known
// counts as something.
using MovesData = std::function<bool(std::int64_t count, std::uint64_t type)>;

// The processes that give this one something, in a collective whose members say how much.
std::vector<int> sources_of(const Event& enter, const std::vector<int>& members, int process,
                            const MovesData&);

// A collective in which nothing moves, as far as this member says: it orders nobody (MPI-4.1 6.14:
// whether it synchronises is up to the library). `at_root` matters where only the root sends or
// receives. False for those whose members say how much each gives.
bool moves_nothing(const Event& enter, bool at_root, const MovesData&);

}  // namespace vouch
