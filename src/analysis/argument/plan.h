// What is checked of each procedure.
//
// Compiled once from the API table: for every parameter the checks that its kind, direction and
// family call for, sorted by stage [U51]. Running a plan is a walk over function
// pointers; nothing is looked up by name. Beside it stands a short list of tests that all correct
// calls of a frequent procedure pass: a call that passes them is not judged further.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "event/proc.h"

namespace vouch {

class Checker;

enum class Stage : std::uint8_t { handles, ranges, types, buffers };
inline constexpr std::size_t kStages = 4;

struct Step {
  void (*check)(Checker&, const Step&);
  int param;  // what is judged, -1: the call as a whole
  int other;  // against what: the communicator of a rank, the count of a datatype …; -1: nothing
};

// A test that only says "surely fine". word: of the enter record.
struct Glance {
  enum class What : std::uint8_t {
    comm,  // first: ranks and roots are counted in it
    datatype,
    count,
    rank,
    source,
    tag,
    any_tag,
    root,
    op,  // after its datatype
    buffer,
    buffer_in_place,  // MPI_IN_PLACE is fine on an intra-communicator
    pointer,
  };
  What what;
  std::uint8_t word = 0;
  std::uint8_t param = 0;
};

struct Plan {
  std::array<std::vector<Step>, kStages> stages;
  std::vector<Glance> glances;  // empty: no short way
  // Words of the objects that others are judged by, as bits.
  std::uint32_t objects = 0;
  int comm = -1;  // the communicator the call is about
  int root = -1;
  int op = -1;
  int leader = -1;  // local_leader
  // By parameter: bits of the buffers whose count or datatype it is.
  std::vector<std::uint32_t> described;

  bool empty() const {
    for (const auto& steps : stages) {
      if (!steps.empty()) return false;
    }
    return true;
  }
};

Plan compile_plan(Proc);

// Which parameter a datatype parameter is counted by, -1; and the reverse.
int count_of_type(const ProcInfo&, int type_param);

}  // namespace vouch
