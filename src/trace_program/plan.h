// What each procedure means for a trace program; from the API table, once.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "event/event.h"
#include "event/proc.h"
#include "predict/ctp.h"

namespace vouch {

struct ProgramPlan {
  enum class Do : std::uint8_t {
    nothing,
    post,
    probe,
    probe_message,
    complete,
    start,
    cancel,
    free,
    collective,
    unknown,  // takes part in communication in a way that a trace program cannot show
  };
  struct Side {
    int peer = -1, tag = -1;  // parameters
  };
  Do what = Do::nothing;
  bool blocks = false, persistent = false;
  bool sends = false, receives = false;
  bool all = true;  // complete: all requests; else one or some of them
  // Collectives whose members say how much each gives (SyncKind::listed): each to me by `counts`,
  // each to the root; the root to me by `count_here`; all to my part of the result.
  enum class Gives : std::uint8_t { each_to_me, each_to_root, root_to_me, all_to_my_part };
  Gives gives = Gives::each_to_me;
  int counts = -1, count_here = -1, types = -1;
  struct Data {
    int buffer = -1, count = -1, type = -1;
  };
  Data sent{}, received{};  // of point-to-point operations
  predict::SendMode mode = predict::SendMode::standard;
  predict::SyncKind sync = predict::SyncKind::all;
  Side send, recv;
  int comm = -1, root = -1, count = -1;
  int group = -1;  // of the communicator only those call it, with this tag
  int request = -1, requests = -1, flag = -1, index = -1, indices = -1, outcount = -1;
  int status = -1, statuses = -1;
};

const ProgramPlan& program_plan(Proc);

// Whether so many elements of the datatype with this handle are any data at all. What is not known
// counts as something.
using MovesData = std::function<bool(std::int64_t count, std::uint64_t type)>;

// The processes that give this one something, in a collective whose members say how much.
std::vector<int> sources_of(const Event& enter, const ProgramPlan&, const std::vector<int>& members,
                            int process, const MovesData&);

// A collective in which nothing moves, as far as this member says: it orders nobody (MPI-4.1 6.14:
// whether it synchronises is up to the library). `at_root` matters where only the root sends or
// receives. False for those whose members say how much each gives.
bool moves_nothing(const Event& enter, const ProgramPlan&, bool at_root, const MovesData&);

}  // namespace vouch
